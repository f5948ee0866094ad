package dev.escapement.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** An HTTP server on loopback that endpoints call: replies as configured and records all requests. */
public final class StubHttpServer implements AutoCloseable {

    /** A received request. */
    public record RecordedRequest(String method, String path, Map<String, List<String>> headers, String body) {

        public Optional<String> header(String name) {
            return headers.entrySet().stream()
                    .filter(each -> each.getKey().equalsIgnoreCase(name))
                    .map(each -> each.getValue().get(0))
                    .findFirst();
        }
    }

    private record CannedReply(int status, String body) {}

    private static final CannedReply DEFAULT_REPLY = new CannedReply(200, "fine");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();
    private final Map<String, CannedReply> replies = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

    public StubHttpServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(
                new RecordedRequest(exchange.getRequestMethod(), path, Map.copyOf(exchange.getRequestHeaders()), body));
        CountDownLatch gate = gates.get(path);
        try {
            if (gate != null && !gate.await(2, TimeUnit.MINUTES)) {
                throw new IOException("nobody let " + path + " go");
            }
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
        CannedReply reply = replies.getOrDefault(path, DEFAULT_REPLY);
        byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** Sets the reply for a path. */
    public void setReply(String path, int status, String body) {
        replies.put(path, new CannedReply(status, body));
    }

    /** Delays the replies for a path until {@link #release}. */
    public void hold(String path) {
        gates.put(path, new CountDownLatch(1));
    }

    public void release(String path) {
        Optional.ofNullable(gates.remove(path)).ifPresent(CountDownLatch::countDown);
    }

    public List<RecordedRequest> requestsTo(String path) {
        return requests.stream().filter(each -> each.path().equals(path)).toList();
    }

    public List<RecordedRequest> await(String path, int count) {
        return ConditionPoller.await(count + " calls of " + path, () -> requestsTo(path), all -> all.size() >= count);
    }

    @Override
    public void close() {
        gates.keySet().forEach(this::release);
        server.stop(0);
        threads.shutdownNow();
    }
}
