package dev.escapement.storage.postgresql;

import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.port.StoreWrite;
import dev.escapement.storage.Database;
import dev.escapement.storage.PostgresTestDatabase;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A database that accepts no writes for a while, and writes that wait for locks. */
class PostgresWriteAccessTest {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final PostgresTestDatabase testDatabase = PostgresTestDatabase.create();
    private final Database database = testDatabase.open();

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private boolean create(int number) {
        return database.store().apply(List.of(new StoreWrite.Creation(execution(number))));
    }

    /** Makes all connections that are opened from now on read-only or not, as a failover does. */
    private void setReadOnly(String value) throws SQLException {
        testDatabase.execute("BEGIN READ WRITE; ALTER DATABASE " + testDatabase.name()
                + " SET default_transaction_read_only = " + value + "; COMMIT");
    }

    @Test
    void writesAgainAfterDatabaseWasReadOnly() throws Exception {
        database.serverRegistry().register("a", "first", LEASE);
        assertThat(create(1)).isTrue();
        assertThat(database.findWriteProblem()).isEmpty();
        setReadOnly("on");
        testDatabase.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        assertThatThrownBy(() -> create(2))
                .isInstanceOf(StorageUnavailableException.class)
                .hasMessageContaining("read-only");
        assertThat(database.findWriteProblem()).contains("accepts no writes");
        setReadOnly("off");
        assertThat(create(2)).isTrue();
        assertThat(database.serverRegistry().renewLease().left()).isPositive();
        assertThat(database.findWriteProblem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("failed recently"));
    }

    @Test
    void renewsLeaseWhileAllWritersWaitForLock() throws Exception {
        database.serverRegistry().register("a", "first", LEASE);
        List<CompletableFuture<Boolean>> writes = new ArrayList<>();
        try (Connection blocker = testDatabase.openRawConnection();
                Statement statement = blocker.createStatement()) {
            blocker.setAutoCommit(false);
            statement.execute("LOCK TABLE executions IN SHARE MODE");
            for (int i = 0; i < 20; i++) {
                int number = i;
                writes.add(CompletableFuture.supplyAsync(() -> create(number), work -> new Thread(work).start()));
            }
            while (Integer.parseInt(testDatabase
                            .queryColumn("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND wait_event_type = 'Lock'")
                            .get(0))
                    < PostgresConnectionPools.MAX_WRITERS) {
                Thread.onSpinWait();
            }
            assertThat(database.serverRegistry().renewLease().left()).isPositive();
            assertThat(database.findWriteProblem()).isEmpty();
            blocker.rollback();
        }
        for (CompletableFuture<Boolean> write : writes) {
            assertThat(write.get(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
