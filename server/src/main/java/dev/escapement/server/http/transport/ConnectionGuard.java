package dev.escapement.server.http.transport;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits what slow clients can hold: the number of connections, the time to send a request and to read a response, and
 * the memory of responses that are not read. A limit on connections or memory closes the connection that has waited
 * longest for its client, so that new requests are always accepted. A connection whose request is being processed, or
 * that has an open stream, is not closed.
 */
public final class ConnectionGuard implements Connection.Listener {

    /** How long a connection may wait for the whole head of a request, also if bytes arrive meanwhile. */
    static final Duration HEAD_TIMEOUT = Duration.ofSeconds(30);

    static final Duration BODY_TIMEOUT = Duration.ofSeconds(10);

    /** A response must be read within this time, plus the time at {@link #MIN_READ_RATE}. */
    static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(10);

    private static final long MIN_READ_RATE = 16 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionGuard.class);

    private final Map<Connection, ClientWait> connections = new ConcurrentHashMap<>();
    private final AtomicLong unreadBytes = new AtomicLong();
    private final int maxConnections;
    private final long maxUnreadBytes;
    private final LongSupplier ticker;

    /**
     * What a connection waits for.
     *
     * @param closeable whether it may be closed to make room for others
     * @param unreadBytes of a response that is being sent
     * @param expiryAction called when the deadline has passed
     */
    private record ClientWait(long since, long deadline, boolean closeable, long unreadBytes, Runnable expiryAction) {}

    /**
     * Creates a guard of one connector.
     *
     * @param maxUnreadBytes limits the responses that are held in memory because their clients do not read them
     * @param ticker a monotonic clock such as {@link System#nanoTime}
     */
    public ConnectionGuard(int maxConnections, long maxUnreadBytes, LongSupplier ticker) {
        this.maxConnections = maxConnections;
        this.maxUnreadBytes = maxUnreadBytes;
        this.ticker = ticker;
    }

    @Override
    public void onOpened(Connection connection) {
        connections.put(connection, waitFor(connection, HEAD_TIMEOUT, 0));
        if (connections.size() > maxConnections) {
            closeOldest(wait -> true);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        ClientWait last = connections.remove(connection);
        if (last != null) {
            unreadBytes.addAndGet(-last.unreadBytes());
        }
    }

    /** The connection waits for the next request. */
    void awaitRequest(Request request) {
        Connection connection = connectionOf(request);
        replace(connection, waitFor(connection, HEAD_TIMEOUT, 0));
    }

    /** The connection waits for the body of a request; its expiry does not close it. */
    void awaitBody(Request request, Runnable expiryAction) {
        long now = ticker.getAsLong();
        replace(connectionOf(request), new ClientWait(now, now + BODY_TIMEOUT.toNanos(), true, 0, expiryAction));
    }

    /** The connection waits for the server, without a deadline. */
    void awaitServer(Request request) {
        long now = ticker.getAsLong();
        replace(connectionOf(request), new ClientWait(now, Long.MAX_VALUE, false, 0, () -> {}));
    }

    /**
     * The connection waits for its client to read a response.
     *
     * @param bytes held in memory for this response only
     */
    void awaitReader(Request request, long size, long bytes) {
        Connection connection = connectionOf(request);
        Duration timeout = RESPONSE_TIMEOUT.plusSeconds(size / MIN_READ_RATE);
        replace(connection, waitFor(connection, timeout, bytes));
        if (unreadBytes.get() > maxUnreadBytes) {
            closeOldest(wait -> wait.unreadBytes() > 0);
        }
    }

    private static Connection connectionOf(Request request) {
        return request.getConnectionMetaData().getConnection();
    }

    private ClientWait waitFor(Connection connection, Duration timeout, long bytes) {
        long now = ticker.getAsLong();
        return new ClientWait(now, now + timeout.toNanos(), true, bytes, () -> close(connection));
    }

    /** Does nothing for a connection that is closed already. */
    private void replace(Connection connection, ClientWait next) {
        connections.computeIfPresent(connection, (same, last) -> {
            unreadBytes.addAndGet(next.unreadBytes() - last.unreadBytes());
            return next;
        });
    }

    /** Runs the actions of all deadlines that have passed; one that fails is logged. Called once a second. */
    void checkDeadlines() {
        long now = ticker.getAsLong();
        connections.forEach((connection, wait) -> {
            if (wait.deadline() != Long.MAX_VALUE && now - wait.deadline() > 0) {
                runExpiryAction(wait);
            }
        });
    }

    private static void runExpiryAction(ClientWait wait) {
        try {
            wait.expiryAction().run();
        } catch (RuntimeException failure) {
            LOG.error("A connection whose client is too slow could not be closed; trying again in a second", failure);
        }
    }

    private void closeOldest(Predicate<ClientWait> condition) {
        connections.entrySet().stream()
                .filter(entry -> entry.getValue().closeable() && condition.test(entry.getValue()))
                .min(Comparator.comparingLong(entry -> entry.getValue().since()))
                .ifPresent(entry -> close(entry.getKey()));
    }

    private static void close(Connection connection) {
        connection.getEndPoint().close(new TimeoutException("the client is too slow"));
    }

    /** Returns how many connections are open. */
    int openCount() {
        return connections.size();
    }
}
