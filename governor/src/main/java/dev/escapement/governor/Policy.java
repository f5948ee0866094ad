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
 * @param failureScope what executions that could not start hold back
 * @param blockScope what an execution that ran and failed holds back
 * @param resetOnDelete whether deleting an execution removes it from the memory of its target
 * @param executorTimeout how long an executor may be unavailable before an execution fails; longer than zero
 * @param maxWaiting how many executions may wait for a target; from 1
 */
public record Policy(
        Duration cooldown,
        Backoff backoff,
        int maxConsecutiveFailures,
        FailureScope failureScope,
        FailureScope blockScope,
        boolean resetOnDelete,
        Duration executorTimeout,
        int maxWaiting) {

    /**
     * 5 min cooldown; 1, 2, 4, 8, 10 min between attempts; 5 attempts; 2 min for the executor; 100 waiting executions.
     */
    public static final Policy DEFAULT = new Policy(
            Duration.ofMinutes(5),
            Backoff.builder()
                    .base(Duration.ofMinutes(1))
                    .max(Duration.ofMinutes(10))
                    .maxExponent(4)
                    .build(),
            5,
            FailureScope.TARGET,
            FailureScope.TARGET,
            true,
            Duration.ofMinutes(2),
            100);

    public Policy {
        if (cooldown.isNegative()) {
            throw new IllegalArgumentException("cooldown is " + cooldown + ": it must not be negative");
        }
        if (maxConsecutiveFailures < 1) {
            throw new IllegalArgumentException(
                    "max consecutive failures is " + maxConsecutiveFailures + ": it must be at least 1");
        }
        if (maxWaiting < 1) {
            throw new IllegalArgumentException("max waiting is " + maxWaiting + ": it must be at least 1");
        }
        if (executorTimeout.isZero() || executorTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "executor timeout is " + executorTimeout + ": it must be longer than zero");
        }
    }

    /**
     * Returns how long a started run may wait for its executor: two and a half times the executor timeout, because the
     * run exists already and an executor that returns has to work off what has queued up.
     */
    public Duration pickupTimeout() {
        return executorTimeout.multipliedBy(5).dividedBy(2);
    }

    public Policy withCooldown(Duration changed) {
        return new Policy(
                changed,
                backoff,
                maxConsecutiveFailures,
                failureScope,
                blockScope,
                resetOnDelete,
                executorTimeout,
                maxWaiting);
    }

    public Policy withBackoff(Backoff changed) {
        return new Policy(
                cooldown,
                changed,
                maxConsecutiveFailures,
                failureScope,
                blockScope,
                resetOnDelete,
                executorTimeout,
                maxWaiting);
    }

    public Policy withMaxConsecutiveFailures(int changed) {
        return new Policy(
                cooldown, backoff, changed, failureScope, blockScope, resetOnDelete, executorTimeout, maxWaiting);
    }

    public Policy withFailureScope(FailureScope changed) {
        return new Policy(
                cooldown,
                backoff,
                maxConsecutiveFailures,
                changed,
                blockScope,
                resetOnDelete,
                executorTimeout,
                maxWaiting);
    }

    public Policy withBlockScope(FailureScope changed) {
        return new Policy(
                cooldown,
                backoff,
                maxConsecutiveFailures,
                failureScope,
                changed,
                resetOnDelete,
                executorTimeout,
                maxWaiting);
    }

    public Policy withResetOnDelete(boolean changed) {
        return new Policy(
                cooldown,
                backoff,
                maxConsecutiveFailures,
                failureScope,
                blockScope,
                changed,
                executorTimeout,
                maxWaiting);
    }

    public Policy withExecutorTimeout(Duration changed) {
        return new Policy(
                cooldown,
                backoff,
                maxConsecutiveFailures,
                failureScope,
                blockScope,
                resetOnDelete,
                changed,
                maxWaiting);
    }

    public Policy withMaxWaiting(int changed) {
        return new Policy(
                cooldown,
                backoff,
                maxConsecutiveFailures,
                failureScope,
                blockScope,
                resetOnDelete,
                executorTimeout,
                changed);
    }
}
