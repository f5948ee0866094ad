package dev.escapement.crashtests.kit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An HTTP server, the sink, that records the time and the key of each call and responds with 200, at once or after a
 * fixed delay. It has one thread and creates few objects, because it shares the cores with the measured program.
 */
final class RecordingHttpServer {

    private static final int BACKLOG = 4096;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private record DelayedResponse(RecordedConnection connection, long dueNanos) {}

    private final Selector selector;
    private final List<Integer> ports = new ArrayList<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<DelayedResponse> delayedResponses = new ArrayDeque<>();
    private final List<RecordedCall> recordedCalls = new ArrayList<>();
    private long delayNanos;

    RecordingHttpServer(int ports) throws IOException {
        selector = Selector.open();
        for (int i = 0; i < ports; i++) {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            this.ports.add(server.socket().getLocalPort());
        }
    }

    List<Integer> ports() {
        return List.copyOf(ports);
    }

    /** Runs a task on the thread of the sink, soon. May be called by any thread. */
    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Sets the delay of later responses. Must be called on the thread of the sink. */
    void setDelay(long millis) {
        delayNanos = millis * NANOS_PER_MILLI;
    }

    /** Returns the recorded calls. Must be called on the thread of the sink. */
    List<RecordedCall> recordedCalls() {
        return recordedCalls;
    }

    /** Never returns. */
    void serve() throws IOException {
        while (selector.isOpen()) {
            selector.select(this::serve, selectTimeoutMillis());
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            sendDueResponses();
        }
    }

    private long selectTimeoutMillis() {
        DelayedResponse next = delayedResponses.peek();
        return next == null ? 0 : Math.max(1, (next.dueNanos - System.nanoTime()) / NANOS_PER_MILLI);
    }

    private void sendDueResponses() throws IOException {
        for (DelayedResponse next = delayedResponses.peek();
                next != null && next.dueNanos <= System.nanoTime();
                next = delayedResponses.peek()) {
            delayedResponses.remove();
            next.connection.respond();
        }
    }

    private void serve(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept((ServerSocketChannel) key.channel());
            } else {
                receive((RecordedConnection) key.attachment());
            }
        } catch (IOException closed) {
            key.cancel();
        }
    }

    private void accept(ServerSocketChannel server) throws IOException {
        for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
            channel.configureBlocking(false);
            channel.socket().setTcpNoDelay(true);
            channel.register(selector, SelectionKey.OP_READ, new RecordedConnection(channel));
        }
    }

    private void receive(RecordedConnection connection) throws IOException {
        if (!connection.read()) {
            return;
        }
        long now = RecordedCall.epochMicros(Instant.now());
        recordedCalls.add(new RecordedCall(now, connection.path(), connection.header("Idempotency-Key")));
        connection.reset();
        if (delayNanos == 0) {
            connection.respond();
        } else {
            delayedResponses.add(new DelayedResponse(connection, System.nanoTime() + delayNanos));
        }
    }
}
