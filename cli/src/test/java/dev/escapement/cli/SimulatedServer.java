package dev.escapement.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** HTTP server with scripted responses, valid or not; records all requests. */
public final class SimulatedServer implements AutoCloseable {

    /** Sends one response. */
    @FunctionalInterface
    public interface Response {
        void sendTo(HttpExchange exchange) throws IOException;
    }

    /** A request that was received. */
    public record ReceivedRequest(String request, String body, Map<String, List<String>> headers) {
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name)).map(values -> values.get(0));
        }
    }

    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Deque<Response>> responses = new ConcurrentHashMap<>();
    private final List<ReceivedRequest> received = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    public SimulatedServer() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/", this::handle);
        http.start();
    }

    public String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    public List<ReceivedRequest> received() {
        return received;
    }

    /** Returns method, path and query of all requests. */
    public List<String> requests() {
        return received.stream().map(ReceivedRequest::request).toList();
    }

    /** Sets the responses to a method and path, in order; the last one repeats. */
    public SimulatedServer respondTo(String request, Response... each) {
        responses.put(request, new ArrayDeque<>(List.of(each)));
        return this;
    }

    public SimulatedServer respondTo(String request, String json) {
        return respondTo(request, json(200, json));
    }

    public static Response json(int status, String json) {
        return text(status, "application/json", json);
    }

    public static Response text(int status, String type, String text) {
        return exchange -> {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    public static Response error(int status, String message) {
        return json(status, "{\"error\":{\"status\":%d,\"code\":\"X\",\"message\":\"%s\"}}".formatted(status, message));
    }

    /** Sends less than its Content-Length, then closes the connection. */
    public static Response truncated(String beginning) {
        return exchange -> {
            exchange.sendResponseHeaders(200, beginning.length() + 1_000L);
            exchange.getResponseBody().write(beginning.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            throw new IOException("cut on purpose");
        };
    }

    /** Sends a complete stream. */
    public static Response stream(String text) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        };
    }

    /** Sends the text and keeps the connection open. */
    public Response streamThenHang(String text) {
        return exchange -> {
            stream(text).sendTo(exchange);
            exchange.getResponseBody().flush();
            awaitClose();
        };
    }

    /** Accepts the request and never responds. */
    public Response hang() {
        return exchange -> awaitClose();
    }

    private void awaitClose() {
        try {
            closed.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath();
        String query = exchange.getRequestURI().getRawQuery();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        received.add(new ReceivedRequest(
                query == null ? path : path + "?" + query, body, Map.copyOf(exchange.getRequestHeaders())));
        try {
            nextResponse(path).sendTo(exchange);
            exchange.getResponseBody().close();
        } catch (IOException cut) {
            exchange.close();
        }
    }

    private Response nextResponse(String path) {
        Deque<Response> left = responses.getOrDefault(path, new ArrayDeque<>());
        synchronized (left) {
            return left.size() > 1
                    ? left.removeFirst()
                    : Optional.ofNullable(left.peekFirst()).orElse(error(404, "there is no " + path));
        }
    }

    @Override
    public void close() {
        closed.countDown();
        http.stop(0);
        threads.shutdownNow();
    }
}
