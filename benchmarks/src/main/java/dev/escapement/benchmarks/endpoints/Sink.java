package dev.escapement.benchmarks.endpoints;

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
final class Sink {

    private static final int BACKLOG = 4096;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private record Debt(Visitor visitor, long dueNanos) {}

    private final Selector selector;
    private final List<Integer> ports = new ArrayList<>();
    private final Queue<Runnable> wishes = new ConcurrentLinkedQueue<>();
    private final Queue<Debt> debts = new ArrayDeque<>();
    private final List<Arrival> arrivals = new ArrayList<>();
    private long delayNanos;

    Sink(int ports) throws IOException {
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
    void ask(Runnable wish) {
        wishes.add(wish);
        selector.wakeup();
    }

    /** From now on, answers take so long. For the sink's own thread. */
    void delay(long millis) {
        delayNanos = millis * NANOS_PER_MILLI;
    }

    /** What came so far. For the sink's own thread. */
    List<Arrival> arrivals() {
        return arrivals;
    }

    /** Never returns. */
    void serve() throws IOException {
        while (selector.isOpen()) {
            selector.select(this::serve, timeout());
            for (Runnable wish = wishes.poll(); wish != null; wish = wishes.poll()) {
                wish.run();
            }
            pay();
        }
    }

    private long timeout() {
        Debt next = debts.peek();
        return next == null ? 0 : Math.max(1, (next.dueNanos - System.nanoTime()) / NANOS_PER_MILLI);
    }

    private void pay() throws IOException {
        for (Debt next = debts.peek(); next != null && next.dueNanos <= System.nanoTime(); next = debts.peek()) {
            debts.remove();
            next.visitor.answer();
        }
    }

    private void serve(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept((ServerSocketChannel) key.channel());
            } else {
                hear((Visitor) key.attachment());
            }
        } catch (IOException gone) {
            key.cancel();
        }
    }

    private void accept(ServerSocketChannel server) throws IOException {
        for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
            channel.configureBlocking(false);
            channel.socket().setTcpNoDelay(true);
            channel.register(selector, SelectionKey.OP_READ, new Visitor(channel));
        }
    }

    private void hear(Visitor visitor) throws IOException {
        if (!visitor.read()) {
            return;
        }
        long now = Arrival.micros(Instant.now());
        arrivals.add(new Arrival(now, visitor.path(), visitor.header("Idempotency-Key")));
        visitor.next();
        if (delayNanos == 0) {
            visitor.answer();
        } else {
            debts.add(new Debt(visitor, System.nanoTime() + delayNanos));
        }
    }
}
