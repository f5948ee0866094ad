package dev.escapement.storage;

import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.engine.port.StoreWrite;
import dev.escapement.storage.problem.StorageException.DatabaseRestoredException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a server can tell about the database from its lease: whether it was restored, and its clock. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class RestoredDatabaseTest {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final TestDatabase testDatabase;
    private final Database database;
    private final ServerRegistry registry;

    RestoredDatabaseTest(DatabaseKind kind) {
        testDatabase = kind.create();
        database = testDatabase.open();
        registry = database.serverRegistry();
    }

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private boolean create(int number) {
        return database.store().apply(List.of(new StoreWrite.Creation(execution(number))));
    }

    private void assertNothingIsWritten() {
        assertThatThrownBy(() -> create(2)).isInstanceOf(DatabaseRestoredException.class);
        assertThatThrownBy(registry::renewLease).isInstanceOf(DatabaseRestoredException.class);
        assertThatThrownBy(() -> registry.takeOver("b")).isInstanceOf(DatabaseRestoredException.class);
    }

    @Test
    void writesNothingAfterRestoreUntilRegisteredAgain() throws Exception {
        registry.register("a", "first", LEASE);
        assertThat(create(1)).isTrue();
        testDatabase.execute("CREATE TABLE backup AS SELECT * FROM servers");
        registry.renewLease();
        testDatabase.execute("DELETE FROM servers");
        testDatabase.execute("INSERT INTO servers SELECT * FROM backup");
        assertNothingIsWritten();
        testDatabase.execute("DELETE FROM servers");
        assertNothingIsWritten();
        assertThat(testDatabase.countRows("executions")).isEqualTo(1);
        assertThat(registry.register("a", "first", LEASE)).isTrue();
        assertThat(create(2)).isTrue();
        registry.renewLease();
        assertThat(create(3)).isTrue();
    }

    @Test
    void renewalReturnsClockOfDatabase() {
        registry.register("a", "first", LEASE);
        assertThat(registry.renewLease().databaseTime()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    }
}
