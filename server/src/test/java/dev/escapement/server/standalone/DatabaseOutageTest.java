package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database stops while a server runs, and starts again. */
class DatabaseOutageTest {

    private final Path folder;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private EmbeddedPostgres postgres;

    DatabaseOutageTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.postgres = postgresBuilder().start();
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        postgres.close();
    }

    /** Sends the requests concurrently, because each waits for the database for a while. */
    private CompletableFuture<ServerResponse> sendAsync(Supplier<ServerResponse> request) {
        return CompletableFuture.supplyAsync(request, threads);
    }

    private EmbeddedPostgres.Builder postgresBuilder() {
        return EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setPort(FreePorts.allocateOne())
                .setDataDirectory(folder.resolve("postgres"))
                .setCleanDataDirectory(false);
    }

    /** Starts PostgreSQL on the same port, as soon as the port is free. */
    private EmbeddedPostgres restartPostgres(int port) {
        return ConditionPoller.await(
                        "PostgreSQL is back on port " + port,
                        () -> {
                            try {
                                return Optional.of(
                                        postgresBuilder().setPort(port).start());
                            } catch (IOException | IllegalStateException notYet) {
                                return Optional.<EmbeddedPostgres>empty();
                            }
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    private TestServer startServer() {
        return TestServer.start(
                folder,
                Map.of(
                        "database",
                        postgres.getJdbcUrl("postgres", "postgres").replaceFirst("\\?.*", ""),
                        "database-user",
                        "postgres",
                        "lease",
                        "15s"));
    }

    private static void assertUnavailable(ServerResponse answer) {
        assertThat(answer.status()).describedAs(answer.raw().body()).isEqualTo(503);
        assertThat(answer.text("/error/code")).isEqualTo("Unavailable");
        assertThat(answer.message()).startsWith("the database does not answer; ");
        assertThat(answer.raw().headers().firstValue("Retry-After")).contains("1");
    }

    @Test
    void answers503DuringOutageAndRecoversByItself() throws IOException {
        int port = postgres.getPort();
        Path gate = folder.resolve("gate");
        try (TestServer server = startServer()) {
            ServerResponse created =
                    server.createExecution("during", "waits", "node/during", Map.of("GATE", gate.toString()));
            server.awaitPhase("during", "Running");

            postgres.close();
            // The run ends while its end cannot be recorded.
            Files.createFile(gate);
            Path result = folder.resolve("data/runs")
                    .resolve(created.text("/metadata/uid"))
                    .resolve("result");
            ConditionPoller.await("the run has ended", () -> Files.exists(result));
            String asked = TestServer.executionJson("refused", "ok", "node/refused", Map.of());
            CompletableFuture<ServerResponse> posted = sendAsync(() -> server.post("/api/v1/executions", asked));
            CompletableFuture<ServerResponse> listed = sendAsync(() -> server.get("/api/v1/executions"));
            CompletableFuture<ServerResponse> ready = sendAsync(() -> server.get("/health/ready"));
            assertThat(server.get("/health/live").status()).isEqualTo(200);
            assertUnavailable(posted.join());
            assertUnavailable(listed.join());
            assertThat(ready.join().status()).isEqualTo(503);
            assertThat(ready.join().text("/checks/database")).contains("does not answer");

            postgres = restartPostgres(port);
            ConditionPoller.await("it is ready again", server::isReachable);
            server.awaitPhase("during", "Completed");
            assertThat(server.post("/api/v1/executions", asked).status()).isEqualTo(201);
            server.awaitPhase("refused", "Completed");
        }
    }
}
