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
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several servers on one PostgreSQL share all state. */
class SharedDatabaseTest {

    private static EmbeddedPostgres postgres;
    private final Path folder;
    private final List<AutoCloseable> servers = new ArrayList<>();

    SharedDatabaseTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setPort(FreePorts.allocateOne())
                .start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : servers) {
            each.close();
        }
    }

    private TestServer startServer(String name, String lease) throws IOException {
        Map<String, String> settings = new HashMap<>();
        settings.put("database", postgres.getJdbcUrl("postgres", "postgres").replaceFirst("\\?.*", ""));
        settings.put("database-user", "postgres");
        settings.put("lease", lease);
        TestServer server = TestServer.start(Files.createDirectories(folder.resolve(name)), settings);
        servers.add(server);
        return server;
    }

    private Map<String, String> gateParameter(String name) {
        return Map.of("GATE", folder.resolve(name).toString());
    }

    @Test
    void otherServerSeesSkipsAndCancelsExecution() throws IOException {
        TestServer one = startServer("one", "15s");
        TestServer two = startServer("two", "15s");
        one.createExecution("held-by-one", "waits", "node/shared", gateParameter("never"));
        one.awaitPhase("held-by-one", "Running");

        two.createExecution("too-late", "ok", "node/shared", Map.of());
        ServerResponse skipped = two.awaitPhase("too-late", "Skipped");
        assertThat(skipped.text("/status/skipDetails/message")).contains("held-by-one");
        assertThat(two.get("/api/v1/executions/held-by-one/logs").raw().body())
                .contains("the output of this run is on server");

        assertThat(two.post("/api/v1/executions/held-by-one/cancel", "{\"by\":\"ann\"}")
                        .status())
                .isEqualTo(200);
        ServerResponse cancelled = one.awaitPhase("held-by-one", "Failed");
        assertThat(cancelled.text("/status/failureDetails/reason")).isEqualTo("Cancelled");
    }

    @Test
    void otherServerWakesAndTakesOverWhatWaits() throws IOException {
        TestServer one = startServer("one", "15s");
        TestServer two = startServer("two", "15s");
        one.createExecution("holder", "waits", "node/busy", gateParameter("busy"));
        one.awaitPhase("holder", "Running");
        WaitingServerTest.createWaiting(two, "waits-on-two", "ok", "10m");
        ConditionPoller.await(
                "it waits",
                () -> two.get("/api/v1/executions/waits-on-two")
                        .text("/status/pendingDetails/reason")
                        .equals("Waiting"));
        TestServer three = startServer("three", "6s");
        WaitingServerTest.createWaiting(three, "waits-on-three", "greets", "10m");
        three.close();
        servers.remove(three);

        Files.createFile(folder.resolve("busy"));
        two.awaitPhase("waits-on-two", "Completed");
        two.awaitPhase("waits-on-three", "Completed");
    }

    @Test
    void otherServerStopsRunOfDeletedExecution() throws IOException {
        TestServer one = startServer("one", "15s");
        TestServer two = startServer("two", "15s");
        one.createExecution("deleted-elsewhere", "waits", "node/deleted", gateParameter("never"));
        one.awaitPhase("deleted-elsewhere", "Running");
        assertThat(two.delete("/api/v1/executions/deleted-elsewhere").status()).isEqualTo(200);
        ConditionPoller.await(
                "the target is free",
                () -> !two.get("/api/v1/targets/node%2Fdeleted")
                        .text("/status/state")
                        .equals("Held"));
    }

    @Test
    void recordsRunsOfDeadServerAsLost() throws IOException {
        TestServer one = startServer("one", "6s");
        one.createExecution("lost", "waits", "node/lost", gateParameter("lost"));
        one.awaitPhase("lost", "Running");
        one.close();
        servers.clear();
        TestServer two = startServer("two", "15s");
        ServerResponse lost = two.awaitPhase("lost", "Failed");
        assertThat(lost.body().at("/status/failureDetails/wasExecutionFailure").asBoolean())
                .isTrue();
        assertThat(two.get("/api/v1/targets/explain?target=node/lost&workflow=ok")
                        .text("/reason"))
                .isEqualTo("PreviousExecutionFailed");

        // It restarts after the takeover, with a new server id.
        String before = Files.readString(folder.resolve("one/data/server.id"));
        TestServer again = startServer("one", "15s");
        assertThat(Files.readString(folder.resolve("one/data/server.id"))).isNotEqualTo(before);
        Files.createFile(folder.resolve("lost"));
        again.createExecution("fresh", "ok", "node/fresh", Map.of());
        again.awaitPhase("fresh", "Completed");
        assertThat(again.get("/api/v1/executions/lost").text("/status/phase")).isEqualTo("Failed");
    }

    @Test
    void restartsWithNewIdAndStopsRunsAfterTakeover() throws Exception {
        TestServer one = startServer("one", "10s");
        TestServer two = startServer("two", "10s");
        Path alive = folder.resolve("alive");
        Files.writeString(folder.resolve("one/workflows/beats.yaml"), """
                id: beats
                parameters: [{name: ALIVE, type: string}]
                tasks:
                  - {name: only, command: [sh, -c, 'for i in $(seq 1200); do echo >> "$ALIVE"; sleep 0.1; done']}
                """);
        one.createExecution("usurped", "beats", "node/usurped", Map.of("ALIVE", alive.toString()));
        one.awaitPhase("usurped", "Running");
        Path idFile = folder.resolve("one/data/server.id");
        String before = Files.readString(idFile).strip();
        int port = one.address().getPort();

        // Expires its lease until the other server has seen it, as if it had sent no heartbeat.
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                PreparedStatement lapse =
                        connection.prepareStatement("UPDATE servers SET lease_ends = 0 WHERE id = ?")) {
            lapse.setString(1, before);
            ConditionPoller.await("it is taken over from", () -> {
                try {
                    lapse.executeUpdate();
                } catch (SQLException failure) {
                    throw new AssertionError(failure);
                }
                return two.get("/api/v1/executions/usurped")
                        .text("/status/phase")
                        .equals("Failed");
            });
        }
        ConditionPoller.await(
                "it restarts with a new server id", () -> !read(idFile).equals(before));
        ConditionPoller.await(
                "it answers on the same port",
                () -> one.isReachable() && one.address().getPort() == port);
        one.createExecution("fresh-start", "ok", "node/fresh-start", Map.of());
        one.awaitPhase("fresh-start", "Completed");
        ConditionPoller.await("the lost run has ended", () -> {
            long size = alive.toFile().length();
            return ConditionPoller.holdsFor(
                    Duration.ofSeconds(1), () -> alive.toFile().length() == size);
        });
    }

    @Test
    void keepsLeaseAndAnswers503WhileWritesWaitForTableLock() throws Exception {
        TestServer one = startServer("one", "6s");
        one.createExecution("healthy", "waits", "node/healthy", gateParameter("never"));
        one.awaitPhase("healthy", "Running");
        String before = read(folder.resolve("one/data/server.id"));
        ExecutorService clients = Executors.newFixedThreadPool(10);
        List<CompletableFuture<ServerResponse>> answers = new ArrayList<>();
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // As CREATE INDEX does.
            statement.execute("LOCK TABLE executions IN SHARE MODE");
            for (int i = 0; i < 10; i++) {
                String asked = TestServer.executionJson("queued-" + i, "ok", "node/queued-" + i, Map.of());
                answers.add(CompletableFuture.supplyAsync(() -> one.post("/api/v1/executions", asked), clients));
            }
            // Longer than the lease.
            assertThat(ConditionPoller.holdsFor(
                            Duration.ofSeconds(8),
                            () -> one.get("/health/ready").text("/checks/lease").equals("ok")))
                    .isTrue();
            assertThat(answers.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
                    .hasSize(4)
                    .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(503))
                    .allSatisfy(answer -> assertThat(answer.raw().headers().firstValue("Retry-After"))
                            .contains("1"));
            connection.rollback();
        }
        assertThat(answers.stream().map(CompletableFuture::join).filter(answer -> answer.status() == 201))
                .hasSize(6);
        clients.shutdown();
        assertThat(read(folder.resolve("one/data/server.id"))).isEqualTo(before);
        assertThat(one.get("/api/v1/executions/healthy").text("/status/phase")).isEqualTo("Running");
        assertThat(one.post("/api/v1/executions/healthy/cancel", "{}").status()).isEqualTo(200);
        one.awaitPhase("healthy", "Failed");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }
}
