package dev.escapement.benchmarks.clustercrash.proxy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Waits for one write and does something exactly before or after it. The write, or its answer, goes on when
 * {@link #release} is called, or never.
 */
public final class Trap {

    private final Step step;
    private final Moment moment;
    private final Predicate<Call> about;
    private final Runnable deed;
    private final AtomicBoolean armed = new AtomicBoolean(true);
    private final CompletableFuture<Boolean> sprung = new CompletableFuture<>();
    private final CompletableFuture<Boolean> onwards = new CompletableFuture<>();

    /** @param deed done by the thread that carries the call, which waits meanwhile */
    public Trap(Step step, Moment moment, Predicate<Call> about, Runnable deed) {
        this.step = step;
        this.moment = moment;
        this.about = about;
        this.deed = deed;
    }

    /** Waits for the write; false if it did not come in time. Then the trap is gone. */
    public boolean await(Duration patience) throws InterruptedException {
        try {
            return sprung.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (TimeoutException never) {
            // Somebody may be stepping into it just now.
            return !armed.compareAndSet(true, false) && sprung.join();
        }
    }

    /** The write, or its answer, goes on. */
    public void release() {
        onwards.complete(true);
    }

    /** The write is never made, or never answered. */
    public void drop() {
        onwards.complete(false);
    }

    void pass(Step passing, Moment now, Call call) throws IOException {
        if (passing != step || now != moment || !about.test(call) || !armed.compareAndSet(true, false)) {
            return;
        }
        deed.run();
        sprung.complete(true);
        if (!onwards.join()) {
            throw new IOException("dropped on purpose");
        }
    }
}
