package dev.escapement.server.http.transport;

import static java.util.Objects.requireNonNull;

import com.sun.management.UnixOperatingSystemMXBean;
import io.javalin.config.JavalinConfig;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToIntFunction;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Configures Jetty. Its own threads only read and write sockets and never block; {@link RequestDispatcher} has those
 * that process requests.
 */
public final class HttpTransport {

    /** Closes a connection on which no byte moves. */
    private static final long IDLE_MILLIS = 30_000;

    private static final int MAX_IO_THREADS = 16;
    private static final int MIN_IO_THREADS = 4;
    private static final int MAX_CONNECTIONS = 4_000;
    private static final long MAX_UNREAD_BYTES = 32L << 20;
    private static final long MAX_BODY_BYTES = 64L << 20;

    /** Connections that arrive in a burst wait here; without room, clients would connect again after a second. */
    private static final int ACCEPT_QUEUE = 1_024;

    /** Without a limit the kernel takes megabytes for a client that does not read. */
    private static final int SEND_BUFFER_BYTES = 64 << 10;

    private HttpTransport() {}

    /**
     * Sets handlers, threads and limits.
     *
     * @param accessHandler checks every request before its body is read
     * @param bodyLimitOfPath returns the maximum size of a body
     * @param paths of all routes
     */
    public static void configure(
            JavalinConfig config,
            Handler.Wrapper accessHandler,
            Map<String, Asset> assets,
            ToIntFunction<String> bodyLimitOfPath,
            List<String> paths) {
        QueuedThreadPool threads = new QueuedThreadPool(MAX_IO_THREADS, MIN_IO_THREADS, (int) IDLE_MILLIS);
        threads.setName("http-io");
        threads.setDaemon(true);
        config.jetty.threadPool = threads;
        ConnectionGuard guard = new ConnectionGuard(maxConnections(), MAX_UNREAD_BYTES, System::nanoTime);
        AtomicReference<@Nullable Server> started = new AtomicReference<>();
        config.jetty.modifyServer(server -> {
            started.set(server);
            server.setStopTimeout(0);
            Handler.Wrapper tracker = new RequestTracker(guard);
            Handler.Wrapper last = tracker;
            for (Handler.Wrapper next : List.of(
                    accessHandler,
                    new AssetHandler(guard, assets),
                    new BodyReader(guard, bodyLimitOfPath, MAX_BODY_BYTES),
                    new RequestDispatcher(guard, paths))) {
                last.setHandler(next);
                last = next;
            }
            server.setHandler(tracker);
        });
        config.jetty.modifyServletContextHandler(
                handler -> handler.getServletHandler().setDecodeAmbiguousURIs(true));
        config.jetty.modifyHttpConfiguration(HttpTransport::configureHttp);
        config.events.serverStarting(() -> {
            for (Connector connector :
                    requireNonNull(started.get(), "server is null").getConnectors()) {
                configureConnector((ServerConnector) connector, guard);
            }
        });
    }

    private static void configureHttp(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setIdleTimeout(IDLE_MILLIS);
        // Slashes of a target are sent as %2F. No route maps a path to a file.
        http.setUriCompliance(UriCompliance.from("RFC3986,AMBIGUOUS_PATH_SEPARATOR"));
    }

    private static void configureConnector(ServerConnector connector, ConnectionGuard guard) {
        connector.setIdleTimeout(IDLE_MILLIS);
        connector.setAcceptQueueSize(ACCEPT_QUEUE);
        connector.setAcceptedSendBufferSize(SEND_BUFFER_BYTES);
        connector.addBean(guard);
    }

    /** Leaves file descriptors for the database and for runs. */
    private static int maxConnections() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? (int) Math.max(64, Math.min(MAX_CONNECTIONS, unix.getMaxFileDescriptorCount() / 2))
                : MAX_CONNECTIONS;
    }
}
