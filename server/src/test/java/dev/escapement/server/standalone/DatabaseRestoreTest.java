package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An older backup of the database is restored while servers, or the runs of a stopped server, are active. */
class DatabaseRestoreTest {

    private static final List<String> TABLES = List.of("executions", "ledger", "journal", "servers");
    private static final String DEADLOCK = "40P01";

    private final Path folder;
    private final EmbeddedPostgres postgres;

    DatabaseRestoreTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setPort(FreePorts.allocateOne())
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        postgres.close();
    }

    private TestServer startServer(String name) throws IOException {
        TestServer server = TestServer.start(
                Files.createDirectories(folder.resolve(name)),
                Map.of(
                        "database",
                        postgres.getJdbcUrl("postgres", "postgres").replaceFirst("\\?.*", ""),
                        "database-user",
                        "postgres",
                        "lease",
                        "6s"));
        Files.writeString(folder.resolve(name).resolve("workflows/beats.yaml"), """
                id: beats
                parameters: [{name: ALIVE, type: string}]
                tasks:
                  - {name: only, command: [sh, -c, 'for i in $(seq 1200); do echo >> "$ALIVE"; sleep 0.1; done']}
                """);
        return server;
    }

    private void execute(String sql) {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private long count(String query) {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + query)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private void backUp() {
        TABLES.forEach(table -> execute("CREATE TABLE backup_%s AS TABLE %s".formatted(table, table)));
    }

    /** Tries again after a deadlock with a server's transaction, as a person who restores a backup would. */
    private void restore() {
        StringBuilder sql = new StringBuilder("BEGIN; TRUNCATE ").append(String.join(", ", TABLES));
        TABLES.forEach(table -> sql.append("; INSERT INTO ")
                .append(table)
                .append(" OVERRIDING SYSTEM VALUE SELECT * FROM backup_")
                .append(table));
        String transaction = sql.append("; COMMIT").toString();
        ConditionPoller.await("the backup is restored", () -> {
            try (Connection connection = postgres.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(transaction);
                return true;
            } catch (SQLException failure) {
                if (DEADLOCK.equals(failure.getSQLState())) {
                    return false;
                }
                throw new AssertionError(failure);
            }
        });
    }

    private void startBeating(TestServer server, String name, Path alive) {
        server.createExecution(name, "beats", "node/beaten", Map.of("ALIVE", alive.toString()));
        server.awaitPhase(name, "Running");
        ConditionPoller.await("the run writes", () -> alive.toFile().length() > 0);
    }

    private static void awaitSilence(Path alive) {
        ConditionPoller.await("the run has ended", () -> {
            long size = alive.toFile().length();
            return ConditionPoller.holdsFor(
                    Duration.ofSeconds(1), () -> alive.toFile().length() == size);
        });
    }

    private static void assertBlocked(TestServer server, String execution) {
        ServerResponse failed = awaitPhase(server, execution, "Failed");
        assertThat(failed.text("/status/failureDetails/message")).contains(UnknownRunRecorder.ACTOR);
        assertThat(failed.body()
                        .at("/status/failureDetails/wasExecutionFailure")
                        .asBoolean())
                .isTrue();
        assertThat(server.get("/api/v1/targets/explain?target=node/beaten&workflow=ok")
                        .text("/reason"))
                .isEqualTo("PreviousExecutionFailed");
    }

    @Test
    void stopsVanishedRunAndBlocksItsTargetBeforeAnythingElseRunsThere() throws IOException {
        Path alive = folder.resolve("alive");
        Path second = folder.resolve("second");
        try (TestServer one = startServer("one");
                TestServer two = startServer("two")) {
            backUp();
            startBeating(one, "vanishing", alive);
            ConditionPoller.await(
                    "both servers have renewed their lease",
                    () -> count("servers JOIN backup_servers AS old USING (id) WHERE servers.renewals > old.renewals")
                            == 2);
            restore();

            // The other server has no run of its own, and sees a target that is free.
            String asked =
                    TestServer.executionJson("second", "beats", "node/beaten", Map.of("ALIVE", second.toString()));
            ConditionPoller.await("the other server accepts it", () -> isAccepted(two, asked));
            ServerResponse skipped = awaitPhase(two, "second", "Skipped");
            assertThat(skipped.text("/status/skipDetails/reason")).isIn("ResourceBusy", "PreviousExecutionFailed");
            assertThat(second).doesNotExist();
            ConditionPoller.await("the first server is ready", one::isReachable);
            assertBlocked(one, "vanishing");
            awaitSilence(alive);
        }
    }

    private static boolean isAccepted(TestServer server, String asked) {
        return unlessRestarting(() -> server.post("/api/v1/executions", asked))
                .filter(answer -> answer.status() == 201)
                .isPresent();
    }

    private static ServerResponse awaitPhase(TestServer server, String execution, String phase) {
        return ConditionPoller.awaitPresent(
                execution + " is " + phase,
                () -> unlessRestarting(() -> server.get("/api/v1/executions/" + execution))
                        .filter(answer -> answer.text("/status/phase").equals(phase)));
    }

    /** A server that notices the older database restarts, and does not respond for a moment. */
    private static Optional<ServerResponse> unlessRestarting(Supplier<ServerResponse> request) {
        try {
            return Optional.of(request.get());
        } catch (AssertionError restarting) {
            return Optional.empty();
        }
    }

    @Test
    void startedServerStopsRunThatItsRestoredDatabaseDoesNotKnow() throws IOException {
        Path alive = folder.resolve("alive");
        try (TestServer server = startServer("one")) {
            backUp();
            startBeating(server, "vanishing", alive);
        }
        restore();
        try (TestServer server = startServer("one")) {
            assertBlocked(server, "vanishing");
            awaitSilence(alive);
        }
    }
}
