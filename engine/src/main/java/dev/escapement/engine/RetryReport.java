package dev.escapement.engine;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus.Pending;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite.StatusUpdate;
import dev.escapement.engine.port.Versioned;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Writes into the status of a pending execution that its processing fails, so that its author sees why nothing happens.
 * Written once; the caller retries the processing.
 */
record RetryReport(ExecutionStore store, Instant now) {

    /** A shorter interruption is retried without a status write. */
    static final Duration QUIET_PERIOD = Duration.ofSeconds(30);

    private static final int MAX_MESSAGE_LENGTH = 500;

    /**
     * Does nothing if the status says already why the execution is pending, or if the failure is one of the store or of
     * the executor: those are usually over at the next attempt, and the executor has limits of its own.
     */
    void record(Versioned<Execution> seen, Pending pending, RuntimeException failure) {
        boolean lasting = failure instanceof IllegalStateException || failure instanceof IllegalArgumentException;
        boolean recent = now.isBefore(seen.value().createdAt().plus(QUIET_PERIOD));
        if (!lasting || recent || pending.details().isPresent()) {
            return;
        }
        String cause = SafeText.sanitize(String.valueOf(failure.getMessage()), MAX_MESSAGE_LENGTH);
        Pending retrying = pending.because(
                PendingReason.Retrying, "processing fails, will retry: " + cause, now, Optional.empty());
        try {
            store.apply(List.of(new StatusUpdate(seen, retrying)));
        } catch (RuntimeException unwritable) {
            // The store fails as well; the caller logs the first failure.
            failure.addSuppressed(unwritable);
        }
    }
}
