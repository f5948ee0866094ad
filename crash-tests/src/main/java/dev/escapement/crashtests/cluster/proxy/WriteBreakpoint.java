package dev.escapement.crashtests.cluster.proxy;

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
 * {@link #resume} is called, or never.
 */
public final class WriteBreakpoint {

    private final ExecutionStep step;
    private final FaultMoment moment;
    private final Predicate<ProxiedRequest> filter;
    private final Runnable action;
    private final AtomicBoolean armed = new AtomicBoolean(true);
    private final CompletableFuture<Boolean> hit = new CompletableFuture<>();
    private final CompletableFuture<Boolean> resumed = new CompletableFuture<>();

    /** @param deed done by the thread that carries the call, which waits meanwhile */
    public WriteBreakpoint(ExecutionStep step, FaultMoment moment, Predicate<ProxiedRequest> about, Runnable deed) {
        this.step = step;
        this.moment = moment;
        this.filter = about;
        this.action = deed;
    }

    /** Waits for the write; false if it did not come in time. Then the trap is gone. */
    public boolean await(Duration patience) throws InterruptedException {
        try {
            return hit.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (TimeoutException never) {
            // Somebody may be stepping into it just now.
            return !armed.compareAndSet(true, false) && hit.join();
        }
    }

    /** The write, or its answer, goes on. */
    public void resume() {
        resumed.complete(true);
    }

    /** The write is never made, or never answered. */
    public void abort() {
        resumed.complete(false);
    }

    void onCall(ExecutionStep passing, FaultMoment now, ProxiedRequest call) throws IOException {
        if (passing != step || now != moment || !filter.test(call) || !armed.compareAndSet(true, false)) {
            return;
        }
        action.run();
        hit.complete(true);
        if (!resumed.join()) {
            throw new IOException("dropped on purpose");
        }
    }
}
