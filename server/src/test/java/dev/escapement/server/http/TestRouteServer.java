package dev.escapement.server.http;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.server.http.access.AccessFilter;
import dev.escapement.server.http.access.Authenticator;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Serves routes on a free port, without the rest of the server. */
public final class TestRouteServer implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();
    private final Javalin javalin;

    public TestRouteServer(List<Route> routes) {
        RequestBodies bodies = new RequestBodies(10_000, "limit");
        AccessFilter accessFilter = new AccessFilter(Authenticator.open());
        javalin = JavalinFactory.create(routes, Map.of(), accessFilter, bodies, () -> ExecutionSamples.NOW)
                .start("127.0.0.1", 0);
    }

    int port() {
        return javalin.port();
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    public HttpResponse<String> post(String path, String json) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(60));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError("no response", failure);
        }
    }

    @Override
    public void close() {
        javalin.stop();
    }
}
