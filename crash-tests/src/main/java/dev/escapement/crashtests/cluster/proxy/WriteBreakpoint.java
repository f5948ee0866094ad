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
 * Waits for one write and runs an action exactly before or after it. The write, or its response, is held until
 * {@link #resume} or {@link #abort} is called.
 */
public final class WriteBreakpoint {

    private final ExecutionStep step;
    private final FaultMoment moment;
    private final Predicate<ProxiedRequest> filter;
    private final Runnable action;
    private final AtomicBoolean armed = new AtomicBoolean(true);
    private final CompletableFuture<Boolean> hit = new CompletableFuture<>();
    private final CompletableFuture<Boolean> resumed = new CompletableFuture<>();

    /** @param action run by the thread that forwards the request, which waits meanwhile */
    public WriteBreakpoint(ExecutionStep step, FaultMoment moment, Predicate<ProxiedRequest> filter, Runnable action) {
        this.step = step;
        this.moment = moment;
        this.filter = filter;
        this.action = action;
    }

    /** Waits for the write; returns false after the timeout, and then the breakpoint is disarmed. */
    public boolean await(Duration timeout) throws InterruptedException {
        try {
            return hit.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (TimeoutException notHit) {
            // It may be hit at this very moment.
            return !armed.compareAndSet(true, false) && hit.join();
        }
    }

    /** Forwards the write or its response. */
    public void resume() {
        resumed.complete(true);
    }

    /** Drops the write or its response. */
    public void abort() {
        resumed.complete(false);
    }

    void onCall(ExecutionStep currentStep, FaultMoment currentMoment, ProxiedRequest call) throws IOException {
        if (currentStep != step || currentMoment != moment || !filter.test(call) || !armed.compareAndSet(true, false)) {
            return;
        }
        action.run();
        hit.complete(true);
        if (!resumed.join()) {
            throw new IOException("dropped on purpose");
        }
    }
}
