package dev.escapement.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;

/** Connections whose clients are too slow are closed, those that wait for the server are not. */
class ConnectionGuardTest {

    private static final int MAX_CONNECTIONS = 3;
    private static final long MAX_UNREAD_BYTES = 1_000;

    private final AtomicLong ticks = new AtomicLong();
    private final AtomicInteger ticksRead = new AtomicInteger();
    private final ConnectionGuard guard = new ConnectionGuard(MAX_CONNECTIONS, MAX_UNREAD_BYTES, this::readTicks);

    private long readTicks() {
        ticksRead.incrementAndGet();
        return ticks.get();
    }

    /** Lets this much time pass. */
    private void advance(Duration time) {
        ticks.addAndGet(time.toNanos());
        guard.checkDeadlines();
    }

    /** A connection without a network, and its request. */
    private final class TestConnection extends AbstractConnection {

        TestConnection() {
            super(new ByteArrayEndPoint(), Runnable::run);
            guard.onOpened(this);
        }

        @Override
        public void onFillable() {}

        boolean isOpen() {
            return getEndPoint().isOpen();
        }

        Request request() {
            ConnectionMetaData metaData = stub(ConnectionMetaData.class, "getConnection", this);
            return stub(Request.class, "getConnectionMetaData", metaData);
        }
    }

    /** Returns an object of which only one method can be called. */
    private static <T> T stub(Class<T> type, String name, Object result) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (object, method, arguments) -> {
                    if (method.getName().equals(name)) {
                        return result;
                    }
                    throw new UnsupportedOperationException(method.getName());
                }));
    }

    @Test
    void closesConnectionWhoseRequestDoesNotArriveInTime() {
        TestConnection first = new TestConnection();
        TestConnection kept = new TestConnection();
        advance(Duration.ofSeconds(20));
        guard.awaitRequest(kept.request());
        advance(Duration.ofSeconds(10));
        assertThat(first.isOpen()).isTrue();
        advance(Duration.ofMillis(1));
        assertThat(first.isOpen()).isFalse();
        assertThat(kept.isOpen()).isTrue();
        advance(Duration.ofSeconds(20));
        assertThat(kept.isOpen()).isFalse();
    }

    @Test
    void reportsBodyThatDoesNotArriveInTimeAndKeepsConnection() {
        TestConnection slow = new TestConnection();
        List<String> expired = new ArrayList<>();
        guard.awaitBody(slow.request(), () -> expired.add("body"));
        advance(Duration.ofSeconds(10));
        assertThat(expired).isEmpty();
        advance(Duration.ofMillis(1));
        assertThat(expired).containsExactly("body");
        assertThat(slow.isOpen()).isTrue();
    }

    @Test
    void givesReaderOfLargeResponseMoreTime() {
        TestConnection small = new TestConnection();
        TestConnection large = new TestConnection();
        guard.awaitReader(small.request(), 100, 0);
        guard.awaitReader(large.request(), 160 << 10, 0);
        advance(Duration.ofSeconds(11));
        assertThat(small.isOpen()).isFalse();
        assertThat(large.isOpen()).isTrue();
        advance(Duration.ofSeconds(10));
        assertThat(large.isOpen()).isFalse();
    }

    @Test
    void hasNoDeadlineForServer() {
        TestConnection connection = new TestConnection();
        guard.awaitServer(connection.request());
        advance(Duration.ofDays(1));
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void closesLongestWaitingClientOverLimitOfConnections() {
        TestConnection served = new TestConnection();
        guard.awaitServer(served.request());
        advance(Duration.ofSeconds(1));
        TestConnection oldest = new TestConnection();
        advance(Duration.ofSeconds(1));
        TestConnection newer = new TestConnection();
        assertThat(oldest.isOpen()).isTrue();
        advance(Duration.ofSeconds(1));
        TestConnection newest = new TestConnection();
        assertThat(oldest.isOpen()).isFalse();
        assertThat(List.of(served, newer, newest)).allMatch(TestConnection::isOpen);
        guard.onClosed(oldest);
        assertThat(guard.openCount()).isEqualTo(MAX_CONNECTIONS);
    }

    @Test
    void closesLongestUnreadResponseOverLimitOfMemory() {
        TestConnection idle = new TestConnection();
        TestConnection first = new TestConnection();
        guard.awaitReader(first.request(), 600, 600);
        advance(Duration.ofSeconds(1));
        TestConnection second = new TestConnection();
        guard.awaitReader(second.request(), 600, 600);
        assertThat(first.isOpen()).isFalse();
        assertThat(List.of(idle, second)).allMatch(TestConnection::isOpen);
        guard.onClosed(first);
        guard.awaitReader(second.request(), 900, 900);
        assertThat(second.isOpen())
                .describedAs("the memory of the first is free again")
                .isTrue();
    }

    /** The client sends one byte of a hundred, and the clock is moved. */
    @Test
    void answers408WhenBodyDoesNotArriveInTime() throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        connector.addBean(guard);
        server.addConnector(connector);
        server.setHandler(new BodyReader(guard, path -> 1_000, 10_000));
        server.start();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
                            .getBytes(StandardCharsets.US_ASCII));
            // Once when it is opened, and again when it waits for the body.
            ConditionPoller.await("the server waits for the body", () -> ticksRead.get() == 2);
            ticks.addAndGet(ConnectionGuard.BODY_TIMEOUT.toNanos() + 1);
            ConditionPoller.await("it answers", () -> {
                guard.checkDeadlines();
                return socket.getInputStream().available() > 0;
            });
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer)
                    .startsWith("HTTP/1.1 408 ")
                    .contains("the body took longer than 10 s to arrive")
                    .containsIgnoringCase("Connection: close");
        } finally {
            server.stop();
        }
    }
}
