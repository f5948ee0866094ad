package dev.escapement.endpoints.guard;

import dev.escapement.common.NamedThreadFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Resolves host names on its own threads, because lookups block. Concurrent lookups of one name share one result.
 * Threads are created on demand, up to one per call, so that hanging lookups do not delay others.
 */
public final class DnsResolverPool implements AutoCloseable {

    private static final int MAX_QUEUED = 4096;

    private final DnsResolver resolver;
    private final int maxConcurrent;
    private final ExecutorService threads;
    private final ConcurrentHashMap<String, CompletableFuture<List<InetAddress>>> pending = new ConcurrentHashMap<>();
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private int active;

    /** @param maxConcurrent concurrent lookups; further ones are queued */
    public DnsResolverPool(DnsResolver resolver, int maxConcurrent) {
        this.resolver = resolver;
        this.maxConcurrent = maxConcurrent;
        // Reuses idle threads first, so that surplus threads time out.
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                NamedThreadFactory.daemon("escapement-lookup"));
    }

    /** Fails with {@link UnknownHostException}, or with {@link RejectedExecutionException} if the queue is full. */
    CompletableFuture<List<InetAddress>> resolve(String name) {
        CompletableFuture<List<InetAddress>> created = new CompletableFuture<>();
        CompletableFuture<List<InetAddress>> pendingLookup = pending.putIfAbsent(name, created);
        if (pendingLookup != null) {
            return pendingLookup;
        }
        try {
            submit(() -> resolveAndComplete(name, created));
        } catch (RejectedExecutionException tooMany) {
            pending.remove(name, created);
            created.completeExceptionally(tooMany);
        }
        return created;
    }

    private synchronized void submit(Runnable lookup) {
        if (active < maxConcurrent) {
            threads.execute(() -> runUntilIdle(lookup));
            active++;
        } else if (queue.size() < MAX_QUEUED) {
            queue.add(lookup);
        } else {
            throw new RejectedExecutionException("DNS lookup queue is full: %d names".formatted(MAX_QUEUED));
        }
    }

    private void runUntilIdle(Runnable first) {
        Optional<Runnable> lookup = Optional.of(first);
        while (lookup.isPresent()) {
            lookup.get().run();
            lookup = nextQueued();
        }
    }

    private synchronized Optional<Runnable> nextQueued() {
        Optional<Runnable> next = Optional.ofNullable(queue.poll());
        if (next.isEmpty()) {
            active--;
        }
        return next;
    }

    private void resolveAndComplete(String name, CompletableFuture<List<InetAddress>> result) {
        try {
            List<InetAddress> addresses = List.copyOf(resolver.resolve(name));
            // Removed first: later callers start a new lookup.
            pending.remove(name, result);
            result.complete(addresses);
        } catch (UnknownHostException | RuntimeException | Error unknown) {
            // Errors too: waiting callers must be completed, and the thread continues with the next name.
            pending.remove(name, result);
            result.completeExceptionally(unknown);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Resolves host names. */
    @FunctionalInterface
    public interface DnsResolver {

        /** Returns at least one address. May block; called once for each new connection. */
        List<InetAddress> resolve(String name) throws UnknownHostException;

        /** Returns the resolver of the operating system. */
        static DnsResolver system() {
            return name -> List.of(InetAddress.getAllByName(name));
        }
    }
}
