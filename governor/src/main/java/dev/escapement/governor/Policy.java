package dev.escapement.governor;

import dev.escapement.backoff.Backoff;
import java.time.Duration;

/**
 * The rules of the gate and the ledger, which users configure.
 *
 * @param cooldown the time between two runs of a workflow on a target, after a success; from zero
 * @param backoff the delays after executions that could not start
 * @param maxConsecutiveFailures after this many executions in a row that could not start, a person must clear the
 *     target; from 1
 * @param failureScope what a failure holds back
 * @param resetOnDelete whether deleting an execution removes it from the memory of its target
 */
public record Policy(
        Duration cooldown,
        Backoff backoff,
        int maxConsecutiveFailures,
        FailureScope failureScope,
        boolean resetOnDelete) {

    /** 5 min cooldown; 1, 2, 4, 8, 10 min between attempts; 5 attempts. */
    public static final Policy DEFAULT = new Policy(
            Duration.ofMinutes(5),
            Backoff.builder()
                    .base(Duration.ofMinutes(1))
                    .max(Duration.ofMinutes(10))
                    .maxExponent(4)
                    .build(),
            5,
            FailureScope.TARGET,
            true);

    public Policy {
        if (cooldown.isNegative()) {
            throw new IllegalArgumentException("cooldown is " + cooldown + ": it must not be negative");
        }
        if (maxConsecutiveFailures < 1) {
            throw new IllegalArgumentException(
                    "max consecutive failures is " + maxConsecutiveFailures + ": it must be at least 1");
        }
    }
}
