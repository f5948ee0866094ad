package dev.escapement.endpoints.worker;

import dev.escapement.backoff.Backoff;
import dev.escapement.endpoints.http.CallDispatcher;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.engine.port.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs endpoints that are due, until it is closed: one thread that takes turns, and rests until the next due time, a
 * landing or a change. Any number of workers may share a store.
 */
public final class EndpointWorker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointWorker.class);

    private static final Backoff FAILURE_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(10))
            .build();

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration MAX_WAIT = Duration.ofDays(1);

    private final EndpointStore store;
    private final CallDispatcher dispatcher;
    private final SchedulerLoop loop;
    private final WakeupSignal wakeup = new WakeupSignal();
    private final AtomicBoolean storeChanged = new AtomicBoolean();
    private final Journal.Subscription subscription;
    private final Thread thread = new Thread(this::run, "escapement-endpoints");
    private volatile boolean closing;
    private volatile boolean terminated;

    private EndpointWorker(
            EndpointStore store,
            CallDispatcher dispatcher,
            EndpointPlanner planning,
            EndpointWorkerSettings settings,
            EndpointWorkerListener listener) {
        this.store = store;
        this.dispatcher = dispatcher;
        this.loop = new SchedulerLoop(
                store,
                dispatcher,
                planning,
                settings,
                listener,
                () -> UUID.randomUUID().toString(),
                wakeup::signalCallFinished);
        this.subscription = store.onChange(() -> {
            storeChanged.set(true);
            wakeup.wakeUp();
        });
        thread.setDaemon(true);
    }

    /**
     * Starts one.
     *
     * @param dispatcher from now on the worker's, which closes it
     */
    public static EndpointWorker start(
            EndpointStore store,
            CallDispatcher dispatcher,
            EndpointPlanner planning,
            EndpointWorkerSettings settings,
            EndpointWorkerListener listener) {
        EndpointWorker worker = new EndpointWorker(store, dispatcher, planning, settings, listener);
        worker.thread.start();
        return worker;
    }

    /** Whether its thread is there. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Calls that are under way. */
    public int inFlightCount() {
        return loop.inFlightCount();
    }

    /** Calls that have ended and are not recorded yet. */
    public int unrecordedCount() {
        return loop.unrecordedCount();
    }

    private void run() {
        int failures = 0;
        while (!isTerminated()) {
            Duration wait;
            try {
                wait = runLoopOnce();
                failures = 0;
            } catch (RuntimeException problem) {
                failures++;
                wait = FAILURE_BACKOFF.delay(failures);
                logFailure(failures, problem);
            }
            long breath =
                    failures > 0 ? wait.toNanos() : loop.isSaturated() ? 0 : SchedulerLoop.COALESCE_DELAY.toNanos();
            try {
                wakeup.await(wait.toNanos(), breath);
            } catch (InterruptedException interrupted) {
                // Nobody but the end of the program does this.
                terminated = true;
            }
        }
    }

    private Duration runLoopOnce() {
        if (closing) {
            loop.stopClaiming();
        }
        if (storeChanged.getAndSet(false)) {
            loop.pollSoon();
        }
        Instant next = loop.runOnce();
        Duration wait = next.equals(Instant.MAX)
                ? MAX_WAIT
                : Duration.between(store.clock().instant(), next);
        return wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait;
    }

    /** Once in words; while it lasts, not again and again. */
    private static void logFailure(int failures, RuntimeException problem) {
        if (failures == 1) {
            LOG.warn("endpoints cannot be claimed or recorded now; it goes on by itself: {}", problem.getMessage());
        }
        LOG.debug("endpoints cannot be claimed or recorded", problem);
    }

    private boolean isTerminated() {
        return terminated || (closing && loop.inFlightCount() == 0 && loop.unrecordedCount() == 0);
    }

    /**
     * Ends it.
     *
     * @param grace so long may calls take that are under way; those that take longer are left to the next worker
     */
    public void close(Duration grace) {
        subscription.close();
        closing = true;
        wakeup.wakeUp();
        try {
            thread.join(Math.max(1, grace.toMillis()));
            dispatcher.close();
            wakeup.wakeUp();
            thread.join(SHUTDOWN_TIMEOUT.toMillis());
            terminated = true;
            wakeup.wakeUp();
            thread.join(SHUTDOWN_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            terminated = true;
            dispatcher.close();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it at once. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
