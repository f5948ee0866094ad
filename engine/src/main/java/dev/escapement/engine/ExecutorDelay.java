package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus.Pending;
import dev.escapement.engine.execution.ExecutionStatus.PendingDetails;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.ExecutorUnavailableException;
import dev.escapement.engine.port.StoreWrite.StatusUpdate;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Delays a pending execution whose executor is unavailable, until a limit that its status stores. Nothing is held
 * meanwhile: every retry asks the gate again.
 */
record ExecutorDelay(ExecutionStore store, Policy policy, Instant now) {

    /** A shorter interruption is retried without a status write. */
    private static final Duration QUIET_PERIOD = Duration.ofSeconds(5);

    private static final Duration MIN_RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(10);

    /** Returns whether the limit that was stored with the delay has passed. */
    boolean isOver(Pending pending) {
        return delayOf(pending)
                .flatMap(PendingDetails::until)
                .filter(until -> !now.isBefore(until))
                .isPresent();
    }

    /** Returns the refusal of a run that the executor has not accepted until the limit; it was never started. */
    static Preparation refusal(ExecutorUnavailableException unavailable, Instant now) {
        return new Preparation.Refused(
                FailureFactory.unavailable("the executor is unavailable: " + unavailable.getMessage(), now));
    }

    /**
     * Stores since when and until when the execution is delayed, once.
     *
     * @throws ExecutorUnavailableException if the interruption may be a short one; the caller retries
     */
    Requeue postpone(Versioned<Execution> seen, Pending pending, ExecutorUnavailableException unavailable) {
        Optional<PendingDetails> delay = delayOf(pending);
        if (delay.isPresent()) {
            Instant until = delay.get().until().orElse(now);
            return Requeue.at(earlier(until, now.plus(retryDelay(delay.get().since()))));
        }
        if (now.isBefore(seen.value().createdAt().plus(QUIET_PERIOD))) {
            throw unavailable;
        }
        Instant until = now.plus(policy.executorTimeout());
        String message = "the executor is unavailable: " + unavailable.getMessage();
        Pending delayed = pending.because(PendingReason.ExecutorUnavailable, message, now, Optional.of(until));
        return store.apply(List.of(new StatusUpdate(seen, delayed)))
                ? Requeue.at(earlier(until, now.plus(MIN_RETRY_DELAY)))
                : Requeue.IMMEDIATELY;
    }

    /** Grows with the time that has passed, so that it doubles without a counter. */
    private Duration retryDelay(Instant since) {
        Duration passed = Duration.between(since, now);
        if (passed.compareTo(MIN_RETRY_DELAY) < 0) {
            return MIN_RETRY_DELAY;
        }
        return passed.compareTo(MAX_RETRY_DELAY) > 0 ? MAX_RETRY_DELAY : passed;
    }

    private static Optional<PendingDetails> delayOf(Pending pending) {
        return pending.details().filter(details -> details.reason() == PendingReason.ExecutorUnavailable);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
