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
 * Listens without TLS and forwards all requests, with their token, to the API server. Each operator has a proxy of its
 * own, so that faults can be injected for one of them alone.
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

    /** Returns the URL for the kubeconfig of the operator. */
    public String address() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** Replaces the fault rates for all later requests. */
    public void set(FaultRates rates) {
        faultRates = rates;
    }

    /** Replaces the breakpoint. */
    public void set(WriteBreakpoint writeBreakpoint) {
        breakpoint = Optional.of(writeBreakpoint);
    }

    /** Closes the connections of all watches; returns how many there were. */
    public int closeWatches() {
        int closed = 0;
        for (ProxyConnection connection : connections) {
            if (connection.isWatching()) {
                connection.close();
                closed++;
            }
        }
        return closed;
    }

    /** Returns how often each fault was injected. */
    public Map<FaultRates.InjectedFault, Integer> injectedFaults() {
        return Map.copyOf(injectedFaults);
    }

    /** Returns the number of writes of {@link ExecutionStep#WRITES} that it has forwarded. */
    public int writes() {
        return writes.get();
    }

    private void acceptConnections() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                client.setTcpNoDelay(true);
                ProxyConnection connection = new ProxyConnection(this, client);
                connections.add(connection);
                executor.execute(() -> {
                    connection.run();
                    connections.remove(connection);
                });
            } catch (IOException closed) {
                // The listener is closed, or this connection failed.
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
            // It is closed at the end of this process.
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
