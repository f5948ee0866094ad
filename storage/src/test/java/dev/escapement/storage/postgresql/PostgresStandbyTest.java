package dev.escapement.storage.postgresql;

import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.port.StoreWrite;
import dev.escapement.storage.Database;
import dev.escapement.storage.PostgresTestDatabase;
import dev.escapement.storage.SecretText;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The address of the database leads to a standby for a while. */
class PostgresStandbyTest {

    private final Path data;
    private EmbeddedPostgres postgres;

    PostgresStandbyTest(@TempDir Path folder) throws IOException {
        // Starts PostgreSQL only where the other tests can.
        PostgresTestDatabase.create().close();
        data = folder.resolve("postgres");
        postgres = builder().start();
    }

    @AfterEach
    void stop() throws IOException {
        postgres.close();
    }

    private EmbeddedPostgres.Builder builder() {
        return EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setPort(FreePorts.allocateOne())
                .setDataDirectory(data)
                .setCleanDataDirectory(false);
    }

    private void restart() throws IOException {
        int port = postgres.getPort();
        postgres.close();
        postgres = builder().setPort(port).start();
    }

    private static boolean create(Database database, int number) {
        return database.store().apply(List.of(new StoreWrite.Creation(execution(number))));
    }

    private static String pingProblem(Database database) {
        try {
            database.ping();
            return "";
        } catch (StorageUnavailableException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void neitherWritesToStandbyNorReadsFromIt() throws IOException {
        String url = "jdbc:postgresql://localhost:%d/postgres".formatted(postgres.getPort());
        try (Database database = Database.openPostgres(url, PostgresTestDatabase.USER, SecretText.of(""))) {
            assertThat(create(database, 1)).isTrue();
            Path signal = Files.createFile(data.resolve("standby.signal"));
            restart();
            // The pool first reports what it saw during the restart.
            ConditionPoller.await(
                    "reads are refused", () -> pingProblem(database).contains("accepts no writes"));
            assertThatThrownBy(() -> create(database, 2)).isInstanceOf(StorageUnavailableException.class);
            assertThat(database.findWriteProblem()).contains("accepts no writes");
            Files.delete(signal);
            restart();
            assertThat(create(database, 2)).isTrue();
            database.ping();
        }
    }
}
