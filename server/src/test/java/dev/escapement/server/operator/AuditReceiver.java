package dev.escapement.server.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.escapement.common.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A real receiver of audit records that accepts, fails in several ways, or refuses records. */
final class AuditReceiver implements AutoCloseable {

    private static final String PATH = "/api/v1/audit/events/batch";

    /** How it fails, in turn. */
    private static final int FAILURE_KINDS = 4;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<JsonNode> accepted = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean failing;
    private volatile Predicate<JsonNode> refused = record -> false;

    AuditReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext(PATH, this::reply);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void fail(boolean away) {
        failing = away;
    }

    void refuse(Predicate<JsonNode> condition) {
        refused = condition;
    }

    int failureCount() {
        return failures.get();
    }

    private void reply(HttpExchange exchange) throws IOException {
        JsonNode batch =
                Json.read(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8), JsonNode.class);
        try (exchange) {
            if (failing) {
                fail(exchange, failures.getAndIncrement() % FAILURE_KINDS);
                return;
            }
            List<JsonNode> records = new ArrayList<>();
            batch.forEach(records::add);
            boolean refuse = records.stream().anyMatch(refused);
            if (!refuse) {
                accepted.addAll(records);
            }
            exchange.sendResponseHeaders(refuse ? 422 : 202, -1);
        }
    }

    private static void fail(HttpExchange exchange, int kind) throws IOException {
        switch (kind) {
            case 0 -> exchange.sendResponseHeaders(503, -1);
            case 1 -> {
                exchange.getResponseHeaders().set("Retry-After", "1");
                exchange.sendResponseHeaders(429, -1);
            }
            case 2 -> {
                // The connection closes before the end of the body.
                exchange.sendResponseHeaders(200, 1_000);
                exchange.getResponseBody().write(1);
            }
            default -> exchange.sendResponseHeaders(401, -1);
        }
    }

    List<JsonNode> accepted() {
        return List.copyOf(accepted);
    }

    /** Returns the accepted records of a namespace without repeats, in the order of their first arrival. */
    List<JsonNode> distinct(String namespace) {
        Map<String, JsonNode> byId = new LinkedHashMap<>();
        accepted.stream()
                .filter(record -> record.path("execution").asText().startsWith(namespace + "/")
                        || record.path("target_resource").asText().startsWith(namespace + "/"))
                .forEach(record -> byId.putIfAbsent(record.path("id").asText(), record));
        return List.copyOf(byId.values());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
