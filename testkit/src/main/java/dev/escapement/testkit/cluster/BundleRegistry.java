package dev.escapement.testkit.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An OCI registry on this machine that serves bundles: the pull part of the distribution protocol. Thread-safe. */
public final class BundleRegistry implements AutoCloseable {

    private static final Pattern PATH_PATTERN =
            Pattern.compile("/v2/(?<repository>.+)/(?<kind>manifests|blobs)/(?<reference>.+)");
    private static final int THREAD_COUNT = 8;

    private final HttpServer server;
    private final ExecutorService executor;
    private final Map<String, OciBlob> manifests = new ConcurrentHashMap<>();
    private final Map<String, OciBlob> blobs = new ConcurrentHashMap<>();

    private BundleRegistry(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.executor = threads;
    }

    /** Starts a registry on a free port. */
    public static BundleRegistry start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            ExecutorService threads = Executors.newFixedThreadPool(THREAD_COUNT, task -> {
                Thread thread = new Thread(task, "bundle-registry");
                thread.setDaemon(true);
                return thread;
            });
            BundleRegistry registry = new BundleRegistry(server, threads);
            server.createContext("/", registry::handle);
            server.setExecutor(threads);
            server.start();
            return registry;
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot start a registry on this machine", refused);
        }
    }

    /**
     * Makes a bundle available and returns its reference, such as {@code localhost:40123/workflows/restart:v1}. A
     * bundle with the same tag is replaced.
     *
     * @param repository such as {@code workflows/restart}
     */
    public String add(String repository, String tag, TektonBundle bundle) {
        bundle.blobs().forEach(blob -> blobs.put(blob.digest(), blob));
        manifests.put(repository + ":" + tag, bundle.manifest());
        manifests.put(repository + ":" + bundle.digest(), bundle.manifest());
        return address() + "/" + repository + ":" + tag;
    }

    /** Returns host and port, such as {@code localhost:40123}; for this host clients use no TLS. */
    public String address() {
        return "localhost:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            String path = exchange.getRequestURI().getPath();
            if (!method.equals("GET") && !method.equals("HEAD")) {
                send(exchange, 405, error("UNSUPPORTED", "this registry is filled from inside"));
            } else if (path.equals("/v2/") || path.equals("/v2")) {
                send(exchange, 200, OciBlob.of("application/json", "{}".getBytes(StandardCharsets.UTF_8)));
            } else {
                Optional<OciBlob> found = find(path);
                send(exchange, found.isPresent() ? 200 : 404, found.orElseGet(() -> notFound(path)));
            }
        }
    }

    private Optional<OciBlob> find(String path) {
        Matcher parts = PATH_PATTERN.matcher(path);
        if (!parts.matches()) {
            return Optional.empty();
        }
        return parts.group("kind").equals("blobs")
                ? Optional.ofNullable(blobs.get(parts.group("reference")))
                : Optional.ofNullable(manifests.get(parts.group("repository") + ":" + parts.group("reference")));
    }

    private static OciBlob notFound(String path) {
        return path.contains("/blobs/")
                ? error("BLOB_UNKNOWN", "no such blob: " + path)
                : error("MANIFEST_UNKNOWN", "no such bundle: " + path);
    }

    private static OciBlob error(String code, String message) {
        String body = "{\"errors\":[{\"code\":\"%s\",\"message\":\"%s\"}]}".formatted(code, message.replace('"', '\''));
        return OciBlob.of("application/json", body.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, OciBlob blob) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", blob.mediaType());
        exchange.getResponseHeaders().set("Docker-Content-Digest", blob.digest());
        exchange.getResponseHeaders().set("Docker-Distribution-Api-Version", "registry/2.0");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(blob.content().length));
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, blob.content().length);
            exchange.getResponseBody().write(blob.content());
        }
    }
}
