package dev.escapement.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The client library chooses how to watch by the failure of the handshake. */
class PingingHttpClientTest {

    private final HttpServer server;

    PingingHttpClientTest() throws IOException {
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private Throwable handshakeFailure(int code) throws Exception {
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(code, -1);
            exchange.close();
        });
        server.start();
        HttpClient client = new PingingHttpClient(HttpClient.newHttpClient(), Duration.ofMinutes(1));
        URI watch = URI.create("ws://127.0.0.1:" + server.getAddress().getPort() + "/watch");
        try {
            client.newWebSocketBuilder()
                    .buildAsync(watch, new WebSocket.Listener() {})
                    .get();
        } catch (ExecutionException refused) {
            return Objects.requireNonNull(refused.getCause(), "cause is null");
        }
        throw new AssertionError("the server does not support WebSockets but a handshake succeeded");
    }

    /** Otherwise the client library would watch over plain HTTP, which has no pings. */
    @Test
    void mapsUnavailableHandshakeToIoException() throws Exception {
        assertThat(handshakeFailure(503))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(WebSocketHandshakeException.class)
                .hasMessageContaining("unavailable");
    }

    @Test
    void passesOtherHandshakeFailuresOn() throws Exception {
        assertThat(handshakeFailure(403)).isInstanceOf(WebSocketHandshakeException.class);
    }
}
