package dev.escapement.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.server.StubHttpServer;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints when servers stop, restart and share a database. */
class EndpointFailoverTest {

    private static final Map<String, String> LOOPBACK = Map.of("endpoints.allow", "127.0.0.0/8", "stop-grace", "30s");

    private final Path folder;
    private final StubHttpServer sink;

    EndpointFailoverTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.sink = new StubHttpServer();
    }

    @AfterEach
    void stop() {
        sink.close();
    }

    @Test
    void keepsEndpointsAndRecordsCallInFlightAcrossRestart() {
        try (TestServer server = TestServer.start(folder, LOOPBACK)) {
            server.createEndpoint(
                    "kept", Map.of("url", sink.url("/kept"), "interval", "1h", "headers", Map.of("X-Token", "t")));
            server.post("/api/v1/endpoints/kept/hints", "{\"interval\":\"30m\",\"reason\":\"r\",\"by\":\"ann\"}");
            server.createEndpoint("slow", Map.of("url", sink.url("/slow"), "interval", "1h"));
            sink.hold("/slow");
            server.post("/api/v1/endpoints/slow/run", "{}");
            sink.await("/slow", 1);
            int port = server.address().getPort();
            new Thread(() -> {
                        ConditionPoller.await("nobody can ask any more", () -> !isListening(port));
                        sink.release("/slow");
                    })
                    .start();
        }
        try (TestServer server = TestServer.start(folder, LOOPBACK)) {
            ServerResponse kept = server.get("/api/v1/endpoints/kept");
            assertThat(kept.text("/hints/0/by")).isEqualTo("ann (unverified)");
            assertThat(kept.text("/status/nextRun/source")).isEqualTo("HINT_INTERVAL");
            ServerResponse slow = server.get("/api/v1/endpoints/slow/runs");
            assertThat(slow.body().path("items")).hasSize(1);
            assertThat(slow.text("/items/0/outcome")).isEqualTo("SUCCEEDED");
            server.post("/api/v1/endpoints/kept/run", "{}");
            assertThat(sink.await("/kept", 1).get(0).header("X-Token")).contains("t");
            assertThat(sink.requestsTo("/slow")).hasSize(1);
        }
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void refusesToStartWithInvalidAllowList() {
        assertThatThrownBy(() -> TestServer.start(folder, Map.of("endpoints.allow", "10.0.0.0/99, intranet")))
                .hasMessageContaining("endpoints.allow")
                .hasMessageContaining("10.0.0.0/99");
    }

    @Test
    void twoServersShareEndpointsAndCallEachSlotOnce() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(1))
                        .setPort(FreePorts.allocateOne())
                        .start();
                TestServer one = startServer(postgres, "one");
                TestServer two = startServer(postgres, "two")) {
            for (int i = 0; i < 20; i++) {
                one.createEndpoint("shared-" + i, Map.of("url", sink.url("/shared-" + i), "interval", "1s"));
            }
            for (int i = 0; i < 20; i++) {
                sink.await("/shared-" + i, 3);
            }
            Set<String> workers = new HashSet<>();
            ConditionPoller.await("both have run some", () -> {
                two.get("/api/v1/runs?limit=500")
                        .body()
                        .path("items")
                        .forEach(run -> workers.add(run.path("worker").asText()));
                return workers.size() == 2;
            });
            for (int i = 0; i < 20; i++) {
                assertThat(two.delete("/api/v1/endpoints/shared-" + i).status()).isEqualTo(200);
            }
            for (int i = 0; i < 20; i++) {
                List<String> keys = sink.requestsTo("/shared-" + i).stream()
                        .map(call -> call.header("Idempotency-Key").orElseThrow())
                        .toList();
                assertThat(keys).doesNotHaveDuplicates();
            }

            // A request to one server takes effect on the other at once: the interval is far longer than the timeout of
            // the test.
            one.createEndpoint("asked", Map.of("url", sink.url("/asked"), "interval", "1h"));
            assertThat(two.post("/api/v1/endpoints/asked/run", "{}").status()).isEqualTo(202);
            sink.await("/asked", 1);
        }
    }

    private TestServer startServer(EmbeddedPostgres postgres, String name) throws IOException {
        return TestServer.start(
                Files.createDirectories(folder.resolve(name)),
                Map.of(
                        "database", postgres.getJdbcUrl("postgres", "postgres").replaceFirst("\\?.*", ""),
                        "database-user", "postgres",
                        "endpoints.allow", "127.0.0.1",
                        "endpoints.concurrency", "4"));
    }
}
