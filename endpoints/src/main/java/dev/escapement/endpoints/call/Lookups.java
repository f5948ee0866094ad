package dev.escapement.endpoints.call;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Looks names up on threads of its own, because looking up blocks. Whoever asks for a name that is being looked up
 * shares that answer, so one slow name server holds one thread per name.
 */
final class Lookups implements AutoCloseable {

    private static final int WAITING = 4096;

    private final Resolver resolver;
    private final ExecutorService threads;
    private final ConcurrentHashMap<String, CompletableFuture<List<InetAddress>>> underWay = new ConcurrentHashMap<>();

    Lookups(Resolver resolver, int threads) {
        this.resolver = resolver;
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING), task -> {
                    Thread thread = new Thread(task, "escapement-lookup-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    /** Fails with {@link UnknownHostException}, or with {@link RejectedExecutionException} if too many wait already. */
    CompletableFuture<List<InetAddress>> lookUp(String name) {
        CompletableFuture<List<InetAddress>> mine = new CompletableFuture<>();
        CompletableFuture<List<InetAddress>> others = underWay.putIfAbsent(name, mine);
        if (others != null) {
            return others;
        }
        try {
            threads.execute(() -> ask(name, mine));
        } catch (RejectedExecutionException tooMany) {
            underWay.remove(name, mine);
            mine.completeExceptionally(tooMany);
        }
        return mine;
    }

    private void ask(String name, CompletableFuture<List<InetAddress>> answer) {
        try {
            List<InetAddress> addresses = List.copyOf(resolver.resolve(name));
            // Whoever asks from here on gets an answer of its own.
            underWay.remove(name, answer);
            answer.complete(addresses);
        } catch (UnknownHostException | RuntimeException unknown) {
            underWay.remove(name, answer);
            answer.completeExceptionally(unknown);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
