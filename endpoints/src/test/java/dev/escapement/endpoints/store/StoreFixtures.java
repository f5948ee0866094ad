package dev.escapement.endpoints.store;

import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import dev.escapement.storage.jdbc.EpochMicros;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** The implementations of the endpoint store. */
enum StoreFixtures {
    SIMULATED {
        @Override
        StoreFixture create() {
            return new SimulatedFixture();
        }
    },
    SQLITE {
        @Override
        StoreFixture create() {
            return new SqlFixture(DatabaseKind.SQLITE);
        }
    },
    POSTGRESQL {
        @Override
        StoreFixture create() {
            return new SqlFixture(DatabaseKind.POSTGRESQL);
        }
    };

    /** Creates a fixture with a database of its own. */
    abstract StoreFixture create();

    private static final class SimulatedFixture implements StoreFixture {

        private volatile Instant now = Instant.EPOCH;
        private volatile EndpointStore store = newStore();

        private EndpointStore newStore() {
            return new SimulatedEndpointStore(() -> now, MAX_RUNS_PER_ENDPOINT);
        }

        @Override
        public EndpointStore store() {
            return store;
        }

        @Override
        public void setNow(Instant time) {
            now = time;
        }

        @Override
        public void clear() {
            store = newStore();
        }

        @Override
        public void close() {}
    }

    /** A real database whose statements read the time from a table instead of its clock. */
    static final class SqlFixture implements StoreFixture {

        static final String NOW = "(SELECT micros FROM virtual_clock)";

        private final TestDatabase database;
        private final Database opened;
        private final AtomicReference<SqlEndpointStore> store = new AtomicReference<>();

        SqlFixture(DatabaseKind kind) {
            this.database = kind.create();
            this.opened = database.open();
            execute("CREATE TABLE virtual_clock (micros bigint NOT NULL)");
            execute("INSERT INTO virtual_clock VALUES (0)");
            store.set(openStore());
        }

        /** Opens another store on the same database. */
        SqlEndpointStore openStore() {
            return new SqlEndpointStore(opened, MAX_RUNS_PER_ENDPOINT, NOW, () -> 0);
        }

        TestDatabase database() {
            return database;
        }

        @Override
        public EndpointStore store() {
            return Objects.requireNonNull(store.get());
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

        /** Opens a new store too: the old one has cached documents. */
        @Override
        public void clear() {
            execute("DELETE FROM runs");
            execute("DELETE FROM endpoints");
            setNow(Instant.EPOCH);
            store.set(openStore());
        }

        @Override
        public void close() {
            database.close();
        }
    }
}
