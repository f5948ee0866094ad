package dev.escapement.server.standalone;

import dev.escapement.engine.Engine;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keeps the ledger as small as what is active, cooling down or failing, and frees targets whose holder is gone. It
 * reads only what may be removed, in parts.
 */
public final class LedgerCleaner {

    private static final int BATCH_SIZE = 200;

    /** What the sweep finds its way by. */
    public interface CandidateSource {

        /** Entries that nobody holds and that remember no failure, those first that were written longest ago. */
        List<Versioned<LedgerEntry>> idleEntries(Instant before, int limit);

        /** Targets that are held by executions which no longer exist. */
        void forEachOrphan(Consumer<Target> each);
    }

    private final CandidateSource candidates;
    private final ExecutionStore store;
    private final Engine engine;
    private final Supplier<Policy> policy;
    private final InstantSource clock;

    /** @param engine frees targets */
    public LedgerCleaner(
            CandidateSource candidates,
            ExecutionStore store,
            Engine engine,
            Supplier<Policy> policy,
            InstantSource clock) {
        this.candidates = candidates;
        this.store = store;
        this.engine = engine;
        this.policy = policy;
        this.clock = clock;
    }

    /** Removes entries that hold nothing and remember nothing. An entry that only gets smaller is left alone. */
    public void removeIdle() {
        boolean goOn = true;
        while (goOn) {
            Instant now = clock.instant();
            List<Versioned<LedgerEntry>> part = candidates.idleEntries(now.minus(minIdleAge()), BATCH_SIZE);
            long removed = part.stream().filter(seen -> removeIfIdle(seen, now)).count();
            // A part of which nothing could go would be the same the next time.
            goOn = part.size() == BATCH_SIZE && removed > 0;
        }
    }

    private Duration minIdleAge() {
        Duration cooldown = policy.get().cooldown();
        return cooldown.compareTo(LedgerEntry.MAX_CLOCK_SKEW) > 0 ? cooldown : LedgerEntry.MAX_CLOCK_SKEW;
    }

    private boolean removeIfIdle(Versioned<LedgerEntry> seen, Instant now) {
        LedgerEntry expired = seen.value().expire(policy.get(), now);
        // Somebody may have taken it in between; then the write fails, as it should.
        return expired.isIdle(now) && store.apply(List.of(new StoreWrite.EntryUpdate(seen, expired, now)));
    }

    /** Frees targets whose holder was deleted. Where a run must end first, its end brings us here again. */
    public void releaseOrphans() {
        List<RuntimeException> failures = new ArrayList<>();
        candidates.forEachOrphan(target -> {
            try {
                engine.recoverLock(target, clock.instant());
            } catch (RuntimeException failure) {
                // One that cannot be healed now must not keep the others.
                failures.add(new IllegalStateException("target " + target + " cannot be freed now", failure));
            }
        });
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
