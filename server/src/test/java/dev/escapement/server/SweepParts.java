package dev.escapement.server;

import dev.escapement.engine.Engine;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.governor.Policy;
import dev.escapement.server.worker.LedgerSweep;
import dev.escapement.storage.Database;
import java.time.InstantSource;

/** A sweep over a real database, as the server makes it. */
public final class SweepParts {

    private SweepParts() {}

    public static LedgerSweep over(Database database, InstantSource clock) {
        return over(database, database.store(), clock);
    }

    /** With another way to the store. */
    public static LedgerSweep over(Database database, ExecutionStore store, InstantSource clock) {
        Engine engine = new Engine(store, new NoRunner(), () -> Policy.DEFAULT);
        return new LedgerSweep(new Opening.Candidates(database), store, engine, () -> Policy.DEFAULT, clock);
    }
}
