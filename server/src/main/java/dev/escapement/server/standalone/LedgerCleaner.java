package dev.escapement.server.standalone;

import dev.escapement.engine.Engine;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * Removes ledger entries without content and releases locks of deleted executions. Reads only candidates, in batches.
 */
public record LedgerCleaner(
        Database database, ExecutionStore store, Engine engine, Supplier<Policy> policy, InstantSource clock) {

    private static final int BATCH_SIZE = 200;

    /** Removes entries that are empty after expiry. Entries that would only shrink are not written. */
    public void removeIdle() {
        boolean more = true;
        while (more) {
            Instant now = clock.instant();
            Duration minIdleAge = Collections.max(List.of(policy.get().cooldown(), LedgerEntry.MAX_CLOCK_SKEW));
            List<Versioned<LedgerEntry>> batch = database.expirationCandidates(now.minus(minIdleAge), BATCH_SIZE);
            long removed =
                    batch.stream().filter(entry -> removeIfIdle(entry, now)).count();
            // If nothing was removed, the next query would return the same batch. A batch with entries that cannot be
            // read is not full although there may be more.
            more = removed > 0;
        }
    }

    private boolean removeIfIdle(Versioned<LedgerEntry> entry, Instant now) {
        LedgerEntry expired = entry.value().expire(policy.get(), now);
        // The write fails if the target was acquired meanwhile.
        return expired.isIdle(now) && store.apply(List.of(new StoreWrite.EntryUpdate(entry, expired, now)));
    }

    /** Releases targets held by deleted executions. Where a run must end first, its end triggers this again. */
    public void releaseOrphans() {
        List<RuntimeException> failures = new ArrayList<>();
        database.serverRegistry().forEachOrphanedTarget(target -> {
            try {
                engine.recoverLock(target, clock.instant());
            } catch (RuntimeException failure) {
                // The others are released all the same.
                failures.add(new IllegalStateException("lock of target " + target + " cannot be released", failure));
            }
        });
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
