package dev.escapement.server.cli;

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

/** Answers as a test says, also as no real server should. Whatever it was asked is kept. */
final class SimulatedServer implements AutoCloseable {

    /** One answer. */
    @FunctionalInterface
    interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    /** What it was asked. */
    record Asked(String request, String body, Map<String, List<String>> headers) {
        Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name)).map(values -> values.get(0));
        }
    }

    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    SimulatedServer() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/", this::handle);
        http.start();
    }

    String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    List<Asked> asked() {
        return asked;
    }

    /** The requests alone: method, path and query. */
    List<String> requests() {
        return asked.stream().map(Asked::request).toList();
    }

    /** Answers to a method and path, one after the other; the last one again and again. */
    SimulatedServer on(String request, Answer... each) {
        answers.put(request, new ArrayDeque<>(List.of(each)));
        return this;
    }

    SimulatedServer on(String request, String json) {
        return on(request, json(200, json));
    }

    static Answer json(int status, String json) {
        return text(status, "application/json", json);
    }

    static Answer text(int status, String type, String text) {
        return exchange -> {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    static Answer error(int status, String message) {
        return json(status, "{\"error\":{\"status\":%d,\"code\":\"X\",\"message\":\"%s\"}}".formatted(status, message));
    }

    /** Promises more than it sends. */
    static Answer cut(String beginning) {
        return exchange -> {
            exchange.sendResponseHeaders(200, beginning.length() + 1_000L);
            exchange.getResponseBody().write(beginning.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            throw new IOException("cut on purpose");
        };
    }

    /** Sends this and ends as it should. */
    static Answer stream(String text) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        };
    }

    /** Sends this and then nothing more, but does not end. */
    Answer streamAndSilence(String text) {
        return exchange -> {
            stream(text).to(exchange);
            exchange.getResponseBody().flush();
            untilClosed();
        };
    }

    /** Takes the request and says nothing. */
    Answer silence() {
        return exchange -> untilClosed();
    }

    private void untilClosed() {
        try {
            closing.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath();
        String query = exchange.getRequestURI().getRawQuery();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add(new Asked(query == null ? path : path + "?" + query, body, Map.copyOf(exchange.getRequestHeaders())));
        try {
            next(path).to(exchange);
            exchange.getResponseBody().close();
        } catch (IOException cut) {
            exchange.close();
        }
    }

    private Answer next(String path) {
        Deque<Answer> left = answers.getOrDefault(path, new ArrayDeque<>());
        synchronized (left) {
            return left.size() > 1
                    ? left.removeFirst()
                    : Optional.ofNullable(left.peekFirst()).orElse(error(404, "there is no " + path));
        }
    }

    @Override
    public void close() {
        closing.countDown();
        http.stop(0);
        threads.shutdownNow();
    }
}
