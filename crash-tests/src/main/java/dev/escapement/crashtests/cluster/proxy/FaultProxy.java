package dev.escapement.crashtests.cluster.proxy;

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
    private final ExecutorService executor = Executors.newCachedThreadPool(FaultProxy::daemonThread);
    private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
    private final Map<FaultRates.InjectedFault, Integer> injectedFaults = new ConcurrentHashMap<>();
    private final AtomicInteger writes = new AtomicInteger();
    private volatile FaultRates faultRates = FaultRates.NO_FAULTS;
    private volatile Optional<WriteBreakpoint> breakpoint = Optional.empty();

    /** Listens on a free port. */
    public FaultProxy(URI server, SSLSocketFactory tls, long seed) throws IOException {
        this.server = server;
        this.tls = tls;
        this.random = new SplittableRandom(seed);
        listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        executor.execute(this::acceptConnections);
    }

    /** Where an operator finds it. */
    public String address() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** From now on. */
    public void set(FaultRates next) {
        faultRates = next;
    }

    /** The only one from now on. */
    public void set(WriteBreakpoint next) {
        breakpoint = Optional.of(next);
    }

    /** Ends every watch that goes through it. Returns how many it were. */
    public int cutWatches() {
        int cut = 0;
        for (ProxyConnection relay : connections) {
            if (relay.isWatching()) {
                relay.close();
                cut++;
            }
        }
        return cut;
    }

    /** How often each thing went wrong so far. */
    public Map<FaultRates.InjectedFault, Integer> injectedFaults() {
        return Map.copyOf(injectedFaults);
    }

    /** How many steps of executions it has carried so far. */
    public int writes() {
        return writes.get();
    }

    private void acceptConnections() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                client.setTcpNoDelay(true);
                ProxyConnection relay = new ProxyConnection(this, client);
                connections.add(relay);
                executor.execute(() -> {
                    relay.run();
                    connections.remove(relay);
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

    ExecutorService executor() {
        return executor;
    }

    FaultRates.InjectedFault drawFault() {
        FaultRates now = faultRates;
        FaultRates.InjectedFault drawn;
        Duration delay;
        synchronized (random) {
            drawn = now.draw(random);
            delay = now.drawDelay(random);
        }
        if (!delay.isZero()) {
            LockSupport.parkNanos(delay.toNanos());
        }
        if (drawn != FaultRates.InjectedFault.NONE) {
            injectedFaults.merge(drawn, 1, Integer::sum);
        }
        return drawn;
    }

    void intercept(ExecutionStep step, FaultMoment moment, ProxiedRequest call) throws IOException {
        if (moment == FaultMoment.AFTER && ExecutionStep.WRITES.contains(step)) {
            writes.incrementAndGet();
        }
        Optional<WriteBreakpoint> set = breakpoint;
        if (set.isPresent()) {
            set.get().onCall(step, moment, call);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException useless) {
            // It goes with this process.
        }
        connections.forEach(ProxyConnection::close);
        executor.shutdownNow();
    }

    private static Thread daemonThread(Runnable task) {
        Thread thread = new Thread(task, "fault-proxy");
        thread.setDaemon(true);
        return thread;
    }
}
