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
 * Is called, writes down when and with which key, and says yes: at once or after a fixed time. One thread and no
 * objects beyond need, because it shares the cores with what it measures.
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

    /** On the sink's own thread, soon; from any thread. */
    void execute(Runnable wish) {
        tasks.add(wish);
        selector.wakeup();
    }

    /** From now on, answers take so long. For the sink's own thread. */
    void setDelay(long millis) {
        delayNanos = millis * NANOS_PER_MILLI;
    }

    /** What came so far. For the sink's own thread. */
    List<RecordedCall> recordedCalls() {
        return recordedCalls;
    }

    /** Never returns. */
    void serve() throws IOException {
        while (selector.isOpen()) {
            selector.select(this::serve, selectTimeoutMillis());
            for (Runnable wish = tasks.poll(); wish != null; wish = tasks.poll()) {
                wish.run();
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
        } catch (IOException gone) {
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

    private void receive(RecordedConnection visitor) throws IOException {
        if (!visitor.read()) {
            return;
        }
        long now = RecordedCall.epochMicros(Instant.now());
        recordedCalls.add(new RecordedCall(now, visitor.path(), visitor.header("Idempotency-Key")));
        visitor.reset();
        if (delayNanos == 0) {
            visitor.respond();
        } else {
            delayedResponses.add(new DelayedResponse(visitor, System.nanoTime() + delayNanos));
        }
    }
}
