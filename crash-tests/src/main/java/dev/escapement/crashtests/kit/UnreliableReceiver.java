package dev.escapement.crashtests.kit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A sink of audit records and a receiver of webhooks that refuses, delays and loses every other request until it is
 * repaired. It remembers what it has confirmed, and what it has received although the sender got no confirmation.
 */
public final class UnreliableReceiver implements AutoCloseable {

    /** Longer than the senders wait before they repeat a request. */
    private static final Duration QUIET_PERIOD = Duration.ofSeconds(2);

    /** How long it takes for a request that it delays: longer than the senders wait. */
    private static final Duration DELAY = Duration.ofSeconds(3);

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SplittableRandom random;
    private final List<JsonNode> records = new ArrayList<>();
    private final Set<String> webhookIds = new HashSet<>();
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger disturbed = new AtomicInteger();
    private volatile boolean repaired;

    /** What happens to a request. */
    private enum Treatment {
        CONFIRMED,
        REFUSED,
        THROTTLED,
        DELAYED,
        /** Received and stored; the connection ends in the middle of the response. */
        CUT
    }

    /** Listens on a free port of this machine. */
    public UnreliableReceiver(long seed) throws IOException {
        random = new SplittableRandom(seed);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/audit/events/batch", exchange -> handle(exchange, this::storeRecords));
        server.createContext("/hook", exchange -> handle(exchange, this::storeWebhook));
        server.setExecutor(threads);
        server.start();
    }

    /**
     * Returns the settings with which a server sends audit records and notifications here, summaries soon and attempts
     * again after a second.
     *
     * @param folder for the notifications file
     */
    public Map<String, String> senderEnvironment(Path folder) throws IOException {
        String address = "127.0.0.1:" + server.getAddress().getPort();
        Path file = Files.writeString(folder.resolve("notifications.yaml"), """
                channels:
                  hook: {type: webhook, url: "http://%s/hook"}
                default: [hook]
                folding: {window: 5s, perTarget: 1, overall: 5}
                retryPolicy: {maxAttempts: 100, initialBackoffSeconds: 1, backoffMultiplier: 1, maxBackoffSeconds: 1}
                """.formatted(address));
        return Map.of(
                "ESCAPEMENT_AUDIT_SINK_URL",
                "http://" + address,
                "ESCAPEMENT_AUDIT_SINK_TIMEOUT",
                "1s",
                "ESCAPEMENT_NOTIFICATIONS_FILE",
                file.toString(),
                "ESCAPEMENT_NOTIFICATIONS_ALLOW",
                address,
                "ESCAPEMENT_NOTIFICATIONS_TIMEOUT",
                "1s");
    }

    /** From now on it confirms every request. */
    public void repair() {
        repaired = true;
    }

    /** Waits until nothing has arrived for a while: to compare everything costs much while the senders are busy. */
    public void awaitQuiet(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        int before = -1;
        for (int now = arrived.get(); now != before && System.nanoTime() < deadline; now = arrived.get()) {
            before = now;
            ConditionPoller.sleep(QUIET_PERIOD);
        }
    }

    /** Returns how many requests it did not confirm. */
    public int disturbed() {
        return disturbed.get();
    }

    /** Returns the audit records in the order in which they arrived, repeated ones included. */
    public synchronized List<JsonNode> records() {
        return List.copyOf(records);
    }

    /** Returns the names of the notifications that arrived. */
    public synchronized Set<String> webhookIds() {
        return Set.copyOf(webhookIds);
    }

    /** Stores what was received. */
    @FunctionalInterface
    private interface BodyHandler {
        void store(HttpExchange exchange, byte[] body) throws IOException;
    }

    private void handle(HttpExchange exchange, BodyHandler handler) throws IOException {
        try (exchange) {
            arrived.incrementAndGet();
            byte[] body = exchange.getRequestBody().readAllBytes();
            Treatment treatment = draw();
            if (treatment != Treatment.CONFIRMED) {
                disturbed.incrementAndGet();
            }
            switch (treatment) {
                case CONFIRMED -> {
                    handler.store(exchange, body);
                    exchange.sendResponseHeaders(OK, -1);
                }
                case REFUSED -> exchange.sendResponseHeaders(UNAVAILABLE, -1);
                case THROTTLED -> {
                    exchange.getResponseHeaders().set("Retry-After", "1");
                    exchange.sendResponseHeaders(TOO_MANY_REQUESTS, -1);
                }
                case DELAYED -> ConditionPoller.sleep(DELAY);
                case CUT -> {
                    handler.store(exchange, body);
                    exchange.sendResponseHeaders(OK, 100);
                    OutputStream response = exchange.getResponseBody();
                    response.write('{');
                    response.flush();
                }
            }
        }
    }

    private synchronized Treatment draw() {
        if (repaired || random.nextBoolean()) {
            return Treatment.CONFIRMED;
        }
        Treatment[] all = Treatment.values();
        return all[random.nextInt(1, all.length)];
    }

    private synchronized void storeRecords(HttpExchange exchange, byte[] body) throws IOException {
        JSON.readTree(body).forEach(records::add);
    }

    private synchronized void storeWebhook(HttpExchange exchange, byte[] body) {
        webhookIds.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
