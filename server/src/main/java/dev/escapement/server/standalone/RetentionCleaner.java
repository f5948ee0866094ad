package dev.escapement.server.standalone;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.Retention;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.storage.Database;
import dev.escapement.storage.problem.StorageException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes finished executions and records of the journal after their retention, in batches. Several servers may do this
 * at once: each removal is conditional, so one of them makes it.
 *
 * @param runRemover deletes the run data of an execution on this machine
 * @param readPositions returns up to where the audit trail and the notifications have read the journal: the rest is
 *     kept
 */
public record RetentionCleaner(
        Database database,
        ExecutionStore store,
        Consumer<ExecutionRef> runRemover,
        Retention retention,
        Supplier<List<String>> readPositions,
        InstantSource clock) {

    private static final Logger LOG = LoggerFactory.getLogger(RetentionCleaner.class);
    private static final int BATCH_SIZE = 200;

    /**
     * Removes everything whose retention has passed, which may take minutes after a pause: call it on a thread of its
     * own. Stops early when the thread is interrupted. Records of the journal are removed even if executions cannot be.
     */
    public void removeExpired() {
        Instant now = clock.instant();
        Instant cutoff = retention.cutoff(now);
        try {
            database.forEachFinished(cutoff, seen -> removeIfExpired(seen, cutoff, now));
        } finally {
            removeRecords(cutoff);
        }
    }

    private void removeRecords(Instant cutoff) {
        int removed = BATCH_SIZE;
        while (removed == BATCH_SIZE && !Thread.currentThread().isInterrupted()) {
            removed = database.removeOldestRecords(cutoff, readPositions.get(), BATCH_SIZE);
        }
    }

    private void removeIfExpired(Versioned<Execution> seen, Instant cutoff, Instant now) {
        Execution execution = seen.value();
        boolean expired = execution.status() instanceof ExecutionStatus.Final ended
                && !ended.completionTime().isAfter(cutoff)
                && !isNeeded(execution);
        if (expired && store.apply(List.of(new StoreWrite.Expiry(seen, now)))) {
            runRemover.accept(execution.ref());
        }
    }

    private boolean isNeeded(Execution execution) {
        Optional<Target> target = Target.tryParse(execution.spec().targetResource());
        try {
            return target.map(store::readEntry)
                    .filter(entry -> Retention.isNeeded(execution.ref(), entry.value()))
                    .isPresent();
        } catch (StorageException failed) {
            throw failed;
        } catch (RuntimeException unreadable) {
            LOG.warn(
                    "Execution {} is kept, because the ledger entry of its target cannot be read: {}",
                    execution.ref(),
                    unreadable.toString());
            return true;
        }
    }
}
