package dev.escapement.server.worker;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Directory;
import dev.escapement.engine.port.Directory.EntryFilter;
import dev.escapement.engine.port.Directory.Page;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keeps the ledger as small as what is active, cooling down or failing, and frees targets whose holder is gone. It goes
 * through the entries in parts, so that it needs little memory however many there are.
 */
public final class LedgerSweep {

    private static final int PART = 200;

    private final Directory directory;
    private final Store store;
    private final Supplier<Policy> policy;
    private final InstantSource clock;
    private final Consumer<Work> queue;

    /** @param queue takes holders that are final and were not released */
    public LedgerSweep(
            Directory directory,
            Store store,
            Supplier<Policy> policy,
            InstantSource clock,
            Consumer<Work> queue) {
        this.directory = directory;
        this.store = store;
        this.policy = policy;
        this.clock = clock;
        this.queue = queue;
    }

    /** Removes entries that hold nothing and remember nothing. An entry that only gets smaller is left alone. */
    public void removeIdle() {
        forEach(EntryFilter.ALL, seen -> {
            Instant now = clock.instant();
            LedgerEntry expired = seen.value().expire(policy.get(), now);
            if (expired.isIdle(now)) {
                // Somebody may have taken it in between; then it is not idle, and the write fails as it should.
                store.apply(List.of(new Write.Entry(seen, expired, now)));
            }
        });
    }

    /** Frees targets whose holder was deleted, and wakes up holders that are over and hold on. */
    public void heal() {
        forEach(EntryFilter.HELD, seen -> {
            if (seen.value() instanceof Held held) {
                Optional<Versioned<Execution>> holder = store.execution(held.holder().execution());
                if (holder.isEmpty()) {
                    queue.accept(Work.on(held.holder().execution(), Optional.of(held.target())));
                } else if (holder.get().value().status() instanceof Status.Final) {
                    queue.accept(Work.on(held.holder().execution()));
                }
            }
        });
    }

    private void forEach(EntryFilter filter, Consumer<Versioned<LedgerEntry>> visitor) {
        Optional<String> token = Optional.of("");
        while (token.isPresent()) {
            Page<Versioned<LedgerEntry>> part = directory.entries(filter, token.get(), PART);
            part.items().forEach(visitor);
            token = part.next();
        }
    }
}
