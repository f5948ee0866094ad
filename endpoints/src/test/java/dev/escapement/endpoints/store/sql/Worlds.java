package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.SimulatedEndpointStore;
import dev.escapement.endpoints.store.StoreWorld;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import dev.escapement.storage.jdbc.EpochMicros;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** The stores that must keep the contract. */
enum Worlds {
    SIMULATED {
        @Override
        StoreWorld fresh() {
            return new Simulated();
        }
    },
    SQLITE {
        @Override
        StoreWorld fresh() {
            return new Sql(DatabaseKind.SQLITE);
        }
    },
    POSTGRESQL {
        @Override
        StoreWorld fresh() {
            return new Sql(DatabaseKind.POSTGRESQL);
        }
    };

    abstract StoreWorld fresh();

    private static final class Simulated implements StoreWorld {

        private volatile Instant now = Instant.EPOCH;
        private final EndpointStore store = new SimulatedEndpointStore(() -> now, KEPT);

        @Override
        public EndpointStore store() {
            return store;
        }

        @Override
        public void setNow(Instant time) {
            now = time;
        }

        @Override
        public void close() {}
    }

    /** A real database, whose statements take the time from a table instead of from its clock. */
    static final class Sql implements StoreWorld {

        static final String NOW = "(SELECT micros FROM virtual_clock)";

        private final TestDatabase database;
        private final Database opened;
        private final AtomicReference<SqlEndpointStore> store = new AtomicReference<>();

        Sql(DatabaseKind kind) {
            this.database = kind.create();
            this.opened = database.open();
            execute("CREATE TABLE virtual_clock (micros bigint NOT NULL)");
            execute("INSERT INTO virtual_clock VALUES (0)");
            store.set(again());
        }

        /** One more store on the same database. */
        SqlEndpointStore again() {
            return SqlEndpointStore.on(opened, KEPT, NOW, () -> 0);
        }

        TestDatabase database() {
            return database;
        }

        @Override
        public EndpointStore store() {
            return java.util.Objects.requireNonNull(store.get());
        }

        @Override
        public void setNow(Instant time) {
            execute("UPDATE virtual_clock SET micros = " + EpochMicros.of(time));
        }

        private void execute(String sql) {
            try {
                database.execute(sql);
            } catch (SQLException failed) {
                throw new AssertionError(failed);
            }
        }

        @Override
        public void close() {
            database.close();
        }
    }
}
