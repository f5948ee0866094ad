package dev.escapement.endpoints.guard;

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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Looks names up on threads of its own, because looking up blocks. Whoever asks for a name that is being looked up
 * shares that answer, so one slow name server holds one thread per name. Threads are there while they are needed: names
 * that hang must not keep others from being looked up, so there may be as many as there are calls.
 */
public final class DnsResolverPool implements AutoCloseable {

    private static final int MAX_QUEUED = 4096;

    private final DnsResolver resolver;
    private final int maxConcurrent;
    private final ExecutorService threads;
    private final ConcurrentHashMap<String, CompletableFuture<List<InetAddress>>> pending = new ConcurrentHashMap<>();
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private int active;

    /** @param most how many names are looked up at a time; others wait for one of them */
    public DnsResolverPool(DnsResolver resolver, int most) {
        this.resolver = resolver;
        this.maxConcurrent = most;
        AtomicInteger number = new AtomicInteger();
        // Takes an idle thread if there is one, so that those which are not needed end.
        this.threads =
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "escapement-lookup-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** Fails with {@link UnknownHostException}, or with {@link RejectedExecutionException} if too many wait already. */
    CompletableFuture<List<InetAddress>> resolve(String name) {
        CompletableFuture<List<InetAddress>> mine = new CompletableFuture<>();
        CompletableFuture<List<InetAddress>> others = pending.putIfAbsent(name, mine);
        if (others != null) {
            return others;
        }
        try {
            submit(() -> resolveAndComplete(name, mine));
        } catch (RejectedExecutionException tooMany) {
            pending.remove(name, mine);
            mine.completeExceptionally(tooMany);
        }
        return mine;
    }

    private synchronized void submit(Runnable lookup) {
        if (active < maxConcurrent) {
            threads.execute(() -> runUntilIdle(lookup));
            active++;
        } else if (queue.size() < MAX_QUEUED) {
            queue.add(lookup);
        } else {
            throw new RejectedExecutionException("%d names wait to be looked up already".formatted(MAX_QUEUED));
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

    private void resolveAndComplete(String name, CompletableFuture<List<InetAddress>> answer) {
        try {
            List<InetAddress> addresses = List.copyOf(resolver.resolve(name));
            // Whoever asks from here on gets an answer of its own.
            pending.remove(name, answer);
            answer.complete(addresses);
        } catch (UnknownHostException | RuntimeException | Error unknown) {
            // Errors too: whoever waits must hear of it, and the thread goes on to the next name.
            pending.remove(name, answer);
            answer.completeExceptionally(unknown);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
