package dev.escapement.benchmarks.clustercrash.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocketFactory;

/**
 * Listens without TLS and hands everything on to the API server, with the token that comes with it. One for each
 * operator, so that something can happen to one of them alone.
 */
public final class FaultProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final URI server;
    private final SSLSocketFactory tls;
    private final SplittableRandom random;
    private final ExecutorService threads = Executors.newCachedThreadPool(FaultProxy::daemon);
    private final Set<Relay> relays = ConcurrentHashMap.newKeySet();
    private final Map<Weather.Mishap, Integer> troubles = new ConcurrentHashMap<>();
    private final AtomicInteger writes = new AtomicInteger();
    private volatile Weather weather = Weather.FAIR;
    private volatile Optional<Trap> trap = Optional.empty();

    /** Listens on a free port. */
    public FaultProxy(URI server, SSLSocketFactory tls, long seed) throws IOException {
        this.server = server;
        this.tls = tls;
        this.random = new SplittableRandom(seed);
        listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        threads.execute(this::listen);
    }

    /** Where an operator finds it. */
    public String address() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** From now on. */
    public void set(Weather next) {
        weather = next;
    }

    /** The only one from now on. */
    public void set(Trap next) {
        trap = Optional.of(next);
    }

    /** Ends every watch that goes through it. Returns how many it were. */
    public int cutWatches() {
        int cut = 0;
        for (Relay relay : relays) {
            if (relay.isWatching()) {
                relay.close();
                cut++;
            }
        }
        return cut;
    }

    /** How often each thing went wrong so far. */
    public Map<Weather.Mishap, Integer> troubles() {
        return Map.copyOf(troubles);
    }

    /** How many steps of executions it has carried so far. */
    public int writes() {
        return writes.get();
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                client.setTcpNoDelay(true);
                Relay relay = new Relay(this, client);
                relays.add(relay);
                threads.execute(() -> {
                    relay.run();
                    relays.remove(relay);
                });
            } catch (IOException closed) {
                // Then the loop ends, or the next one has more luck.
            }
        }
    }

    Socket connect() throws IOException {
        Socket socket = tls.createSocket(server.getHost(), server.getPort());
        socket.setTcpNoDelay(true);
        return socket;
    }

    ExecutorService threads() {
        return threads;
    }

    Weather.Mishap mishap() {
        Weather now = weather;
        Weather.Mishap drawn;
        Duration delay;
        synchronized (random) {
            drawn = now.draw(random);
            delay = now.delay(random);
        }
        if (!delay.isZero()) {
            LockSupport.parkNanos(delay.toNanos());
        }
        if (drawn != Weather.Mishap.NONE) {
            troubles.merge(drawn, 1, Integer::sum);
        }
        return drawn;
    }

    void pass(Step step, Moment moment, Call call) throws IOException {
        if (moment == Moment.AFTER && Step.WRITES.contains(step)) {
            writes.incrementAndGet();
        }
        Optional<Trap> set = trap;
        if (set.isPresent()) {
            set.get().pass(step, moment, call);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException useless) {
            // It goes with this process.
        }
        relays.forEach(Relay::close);
        threads.shutdownNow();
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "fault-proxy");
        thread.setDaemon(true);
        return thread;
    }
}
