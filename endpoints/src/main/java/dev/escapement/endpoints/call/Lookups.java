package dev.escapement.endpoints.call;

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
final class Lookups implements AutoCloseable {

    private static final int WAITING = 4096;

    private final Resolver resolver;
    private final int most;
    private final ExecutorService threads;
    private final ConcurrentHashMap<String, CompletableFuture<List<InetAddress>>> underWay = new ConcurrentHashMap<>();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int busy;

    /** @param most how many names are looked up at a time; others wait for one of them */
    Lookups(Resolver resolver, int most) {
        this.resolver = resolver;
        this.most = most;
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
    CompletableFuture<List<InetAddress>> lookUp(String name) {
        CompletableFuture<List<InetAddress>> mine = new CompletableFuture<>();
        CompletableFuture<List<InetAddress>> others = underWay.putIfAbsent(name, mine);
        if (others != null) {
            return others;
        }
        try {
            begin(() -> ask(name, mine));
        } catch (RejectedExecutionException tooMany) {
            underWay.remove(name, mine);
            mine.completeExceptionally(tooMany);
        }
        return mine;
    }

    private synchronized void begin(Runnable lookup) {
        if (busy < most) {
            threads.execute(() -> work(lookup));
            busy++;
        } else if (waiting.size() < WAITING) {
            waiting.add(lookup);
        } else {
            throw new RejectedExecutionException("%d names wait to be looked up already".formatted(WAITING));
        }
    }

    private void work(Runnable first) {
        Optional<Runnable> lookup = Optional.of(first);
        while (lookup.isPresent()) {
            lookup.get().run();
            lookup = next();
        }
    }

    private synchronized Optional<Runnable> next() {
        Optional<Runnable> next = Optional.ofNullable(waiting.poll());
        if (next.isEmpty()) {
            busy--;
        }
        return next;
    }

    private void ask(String name, CompletableFuture<List<InetAddress>> answer) {
        try {
            List<InetAddress> addresses = List.copyOf(resolver.resolve(name));
            // Whoever asks from here on gets an answer of its own.
            underWay.remove(name, answer);
            answer.complete(addresses);
        } catch (UnknownHostException | RuntimeException | Error unknown) {
            // Errors too: whoever waits must hear of it, and the thread goes on to the next name.
            underWay.remove(name, answer);
            answer.completeExceptionally(unknown);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
