package dev.escapement.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.http.transport.SlowClients.Kind;
import dev.escapement.server.standalone.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Probes and ordinary requests are answered in time whatever slow clients do. The time is what is promised. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowClientsIT {

    private static final String TOKEN = "correct-horse-battery";

    /** Generous: without the limits a request waits for 30 s. */
    private static final Duration LOADED_MACHINE_LIMIT = Duration.ofSeconds(10);

    private static final Duration PROMISED_LIMIT = Duration.ofSeconds(1);

    private final TestServer server;

    SlowClientsIT(@TempDir Path folder) {
        server = TestServer.start(folder, Map.of("token", TOKEN));
    }

    @BeforeAll
    void createExecutions() {
        // Lists that do not fit into the buffers of a socket.
        for (int i = 0; i < 4; i++) {
            int status = server.send(server.request("/api/v1/executions")
                            .header("Authorization", "Bearer " + TOKEN)
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(TestServer.executionJson(
                                    "long-" + i, "ok", "node/long", Map.of("WHO", "x".repeat(10_000)))))
                            .build())
                    .status();
            assertThat(status).isEqualTo(201);
        }
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void answersWhileSlowClientsOfAllKindsAreConnected() throws Exception {
        assertAnswersInTime(300, List.of(Kind.values()), Duration.ofSeconds(6), LOADED_MACHINE_LIMIT);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @EnabledIfSystemProperty(named = "escapement.nightly", matches = "true")
    void answersWithinSecondForMinute(Kind kind) throws Exception {
        assertAnswersInTime(1_000, List.of(kind), Duration.ofMinutes(1), PROMISED_LIMIT);
    }

    private void assertAnswersInTime(int connections, List<Kind> kinds, Duration span, Duration limit)
            throws Exception {
        long slowest = 0;
        int answers = 0;
        try (SlowClients clients = new SlowClients(server.address().getPort(), TOKEN, connections, kinds)) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < span.toNanos()) {
                slowest = Math.max(slowest, timeOf("/health/live", limit));
                slowest = Math.max(slowest, timeOf("/api/v1/policy", limit));
                answers += 2;
            }
            System.out.printf(
                    "%s: %d connections, %d opened, %d answers, slowest %d ms%n",
                    kinds, connections, clients.openedCount(), answers, slowest / 1_000_000);
        }
        assertThat(answers).isPositive();
        assertThat(Duration.ofNanos(slowest)).isLessThan(limit);
    }

    /** Sends a request on a new connection, as a probe does; the read fails after the limit. */
    private long timeOf(String path, Duration limit) throws IOException {
        long start = System.nanoTime();
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            socket.setSoTimeout((int) limit.toMillis());
            socket.getOutputStream()
                    .write("GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
                            .formatted(path, TOKEN)
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 200 ");
        }
        return System.nanoTime() - start;
    }
}
