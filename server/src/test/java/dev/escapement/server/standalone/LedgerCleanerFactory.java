package dev.escapement.server.standalone;

import dev.escapement.engine.Engine;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.governor.Policy;
import dev.escapement.storage.Database;
import java.time.InstantSource;

/** Creates the ledger cleaner of the server for a real database. */
public final class LedgerCleanerFactory {

    private LedgerCleanerFactory() {}

    public static LedgerCleaner create(Database database, InstantSource clock) {
        return create(database, database.store(), clock);
    }

    /** With another ledger store. */
    public static LedgerCleaner create(Database database, ExecutionStore store, InstantSource clock) {
        Engine engine = new Engine(store, new UnusedRunner(), () -> Policy.DEFAULT);
        return new LedgerCleaner(database, store, engine, () -> Policy.DEFAULT, clock);
    }
}
