package dev.escapement.governor;

import static java.util.Objects.requireNonNull;

import dev.escapement.backoff.Backoff;
import java.time.Duration;

/**
 * The rules that people may change.
 *
 * @param cooldown how long the same workflow waits on a target after it completed there, from zero
 * @param backoff how long a target waits after an execution that could not start
 * @param maxConsecutiveFailures after this many executions in a row that could not start, a person has to look; from 1
 * @param failureScope whether a failure holds back the target or only the workflow
 * @param resetOnDelete whether deleting the execution that an entry remembers makes the entry forget it
 */
public record Policy(
        Duration cooldown,
        Backoff backoff,
        int maxConsecutiveFailures,
        FailureScope failureScope,
        boolean resetOnDelete) {

    /** What holds if nobody says otherwise: 5 min cooldown; 1, 2, 4, 8, 10 min between attempts; 5 attempts. */
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

    /** Refuses what could not be meant. */
    public Policy {
        requireNonNull(backoff, "backoff is null");
        requireNonNull(failureScope, "failureScope is null");
        if (cooldown.isNegative()) {
            throw new IllegalArgumentException("cooldown is " + cooldown + ": it must not be negative");
        }
        if (maxConsecutiveFailures < 1) {
            throw new IllegalArgumentException(
                    "max consecutive failures is " + maxConsecutiveFailures + ": it must be at least 1");
        }
    }
}
