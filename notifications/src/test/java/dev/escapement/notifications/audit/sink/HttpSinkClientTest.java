package dev.escapement.notifications.audit.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.escapement.notifications.audit.sink.SinkResponse.Accepted;
import dev.escapement.notifications.audit.sink.SinkResponse.Refused;
import dev.escapement.notifications.audit.sink.SinkResponse.Unavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real receiver that accepts, refuses, fails, delays, and closes its connections. */
class HttpSinkClientTest {

    private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

    private final HttpServer receiver;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile String body = "";
    private volatile String authorization = "";

    HttpSinkClientTest() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.setExecutor(threads);
        receiver.createContext("/", this::reply);
        receiver.start();
    }

    @AfterEach
    void close() {
        closed.countDown();
        receiver.stop(0);
        threads.shutdownNow();
    }

    private void reply(HttpExchange exchange) throws IOException {
        body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        authorization = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/hangs")) {
            awaitClose();
        } else if (path.equals("/closes-mid-body")) {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write("only the beginning".getBytes(StandardCharsets.UTF_8));
        } else if (path.equals("/repeats-token-in-megabytes")) {
            byte[] text = (authorization + " is wrong. " + "x".repeat(5 << 20)).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(401, text.length);
            exchange.getResponseBody().write(text);
        } else if (path.equals("/stalls-mid-body")) {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().flush();
            awaitClose();
        } else {
            exchange.getResponseHeaders().set("Retry-After", "120");
            byte[] text = "sorry".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(Integer.parseInt(path.substring(1)), text.length);
            exchange.getResponseBody().write(text);
        }
        exchange.close();
    }

    private void awaitClose() {
        try {
            closed.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private SinkResponse send(String path, Duration timeout, Optional<Path> tokenFile) throws InterruptedException {
        URI url = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + path);
        return HttpSinkClient.open(url, tokenFile, timeout, () -> NOW)
                .send(List.of("{\"id\":\"1\"}", "{\"id\":\"2\"}"));
    }

    private SinkResponse send(String path) throws InterruptedException {
        return send(path, Duration.ofSeconds(30), Optional.empty());
    }

    @Test
    void sendsAJsonArray() throws InterruptedException {
        assertThat(send("/202")).isEqualTo(new Accepted());
        assertThat(body).isEqualTo("[{\"id\":\"1\"},{\"id\":\"2\"}]");
        assertThat(authorization).isEmpty();
    }

    @Test
    void sendsTheTokenOfTheFileAndNeverShowsIt(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "s3cret-token\n");
        assertThat(send("/200", Duration.ofSeconds(30), Optional.of(file))).isEqualTo(new Accepted());
        assertThat(authorization).isEqualTo("Bearer s3cret-token");
        Files.writeString(file, "s3cret\u0001token");
        assertThat(send("/200", Duration.ofSeconds(30), Optional.of(file)).toString())
                .contains("token")
                .doesNotContain("s3cret");
        assertThat(send("/200", Duration.ofSeconds(30), Optional.of(folder.resolve("none"))))
                .isInstanceOf(Unavailable.class);
    }

    @Test
    void showsOnlyTheBeginningOfAResponseAndNeverTheToken(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "s3cret-token");
        assertThat(send("/repeats-token-in-megabytes", Duration.ofSeconds(30), Optional.of(file)))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable -> assertThat(unavailable.error())
                                .startsWith("status 401: Bearer (not shown) is wrong. xxx")
                                .hasSizeLessThan(400));
    }

    @Test
    void refusalsOfARecordAreNotRetried() throws InterruptedException {
        assertThat(send("/400")).isEqualTo(new Refused(400, "sorry"));
        assertThat(send("/422")).isEqualTo(new Refused(422, "sorry"));
        assertThat(send("/413")).isInstanceOf(Refused.class);
    }

    @Test
    void wrongTokensAddressesAndOverloadAreRetried() throws InterruptedException {
        for (int status : new int[] {302, 401, 403, 404, 408, 429, 500, 502, 503}) {
            assertThat(send("/" + status))
                    .describedAs("status " + status)
                    .isEqualTo(new Unavailable("status " + status + ": sorry", Optional.of(Duration.ofMinutes(2))));
        }
    }

    @Test
    void brokenAndSlowConnectionsAreRetried() throws InterruptedException {
        assertThat(send("/closes-mid-body")).isInstanceOf(Unavailable.class);
        Duration shortly = Duration.ofMillis(300);
        assertThat(send("/hangs", shortly, Optional.empty())).isInstanceOf(Unavailable.class);
        assertThat(send("/stalls-mid-body", shortly, Optional.empty()))
                .isEqualTo(new Unavailable("no response within 300 ms", Optional.empty()));
        receiver.stop(0);
        assertThat(send("/200")).isInstanceOf(Unavailable.class);
    }
}
