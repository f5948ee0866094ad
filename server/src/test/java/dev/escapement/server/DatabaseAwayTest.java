package dev.escapement.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.TestServer.Answer;
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

/** The database goes away under a running server, and comes back. */
class DatabaseAwayTest {

    private final Path folder;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private EmbeddedPostgres postgres;

    DatabaseAwayTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.postgres = builder().start();
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        postgres.close();
    }

    /** Each waits for the database for a while, so that they wait together. */
    private CompletableFuture<Answer> soon(Supplier<Answer> request) {
        return CompletableFuture.supplyAsync(request, threads);
    }

    private EmbeddedPostgres.Builder builder() {
        return EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setDataDirectory(folder.resolve("postgres"))
                .setCleanDataDirectory(false);
    }

    /** On the same port, as soon as nobody else has it. */
    private EmbeddedPostgres back(int port) {
        return Waiting.until(
                        "PostgreSQL is back on port " + port,
                        () -> {
                            try {
                                return Optional.of(builder().setPort(port).start());
                            } catch (IOException | IllegalStateException notYet) {
                                return Optional.<EmbeddedPostgres>empty();
                            }
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    private TestServer server() {
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

    private static void refusedForNow(Answer answer) {
        assertThat(answer.status()).describedAs(answer.raw().body()).isEqualTo(503);
        assertThat(answer.text("/error/code")).isEqualTo("Unavailable");
        assertThat(answer.message()).startsWith("the database does not answer now; ");
        assertThat(answer.raw().headers().firstValue("Retry-After")).contains("1");
    }

    @Test
    void requestsAreRefusedForNowAndWhenItIsBackTheServerGoesOnByItself() throws IOException {
        int port = postgres.getPort();
        Path gate = folder.resolve("gate");
        try (TestServer server = server()) {
            Answer created = server.create("during", "waits", "node/during", Map.of("GATE", gate.toString()));
            server.await("during", "Running");

            postgres.close();
            // The run ends while nobody can write that it did.
            Files.createFile(gate);
            Path result = folder.resolve("data/runs")
                    .resolve(created.text("/metadata/uid"))
                    .resolve("result");
            Waiting.until("the run has ended", () -> Files.exists(result));
            String asked = TestServer.execution("refused", "ok", "node/refused", Map.of());
            CompletableFuture<Answer> posted = soon(() -> server.post("/api/v1/executions", asked));
            CompletableFuture<Answer> listed = soon(() -> server.get("/api/v1/executions"));
            CompletableFuture<Answer> ready = soon(() -> server.get("/health/ready"));
            assertThat(server.get("/health/live").status()).isEqualTo(200);
            refusedForNow(posted.join());
            refusedForNow(listed.join());
            assertThat(ready.join().status()).isEqualTo(503);
            assertThat(ready.join().text("/checks/database")).contains("does not answer");

            postgres = back(port);
            Waiting.until("it is ready again", server::answers);
            server.await("during", "Completed");
            assertThat(server.post("/api/v1/executions", asked).status()).isEqualTo(201);
            server.await("refused", "Completed");
        }
    }
}
