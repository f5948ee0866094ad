package dev.escapement.endpoints.worker;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.FailureLog;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.endpoints.http.CallDispatcher;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.engine.port.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/**
 * Runs due endpoints on one thread until it is closed. The thread sleeps until the next due time, the end of a call or
 * a change of the store. Any number of workers may share a store.
 */
public final class EndpointWorker implements AutoCloseable {

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
    private final Thread thread = NamedThreadFactory.daemonThread("escapement-endpoints", this::run);
    private final FailureLog failureLog =
            new FailureLog(LoggerFactory.getLogger(EndpointWorker.class), "Claiming or recording endpoints");
    private volatile boolean closing;
    private volatile boolean terminated;

    /** Starts a worker, which will close the dispatcher. */
    public EndpointWorker(
            EndpointStore store,
            CallDispatcher dispatcher,
            EndpointPlanner planner,
            EndpointWorkerSettings settings,
            EndpointWorkerListener listener) {
        this.store = store;
        this.dispatcher = dispatcher;
        this.loop = new SchedulerLoop(
                store,
                dispatcher,
                planner,
                settings,
                listener,
                () -> UUID.randomUUID().toString(),
                wakeup::signalCallFinished);
        this.subscription = store.onChange(() -> {
            storeChanged.set(true);
            wakeup.wakeUp();
        });
        thread.start();
    }

    public boolean isAlive() {
        return thread.isAlive();
    }

    public int inFlightCount() {
        return loop.inFlightCount();
    }

    /** Number of finished calls that are not recorded yet. */
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
                failureLog.recordSuccess();
            } catch (RuntimeException failure) {
                failures++;
                wait = FAILURE_BACKOFF.delay(failures);
                failureLog.recordFailure(failure);
            }
            long coalesceNanos =
                    failures > 0 ? wait.toNanos() : loop.isSaturated() ? 0 : SchedulerLoop.COALESCE_DELAY.toNanos();
            try {
                wakeup.await(wait.toNanos(), coalesceNanos);
            } catch (InterruptedException interrupted) {
                // Only happens at shutdown.
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

    private boolean isTerminated() {
        return terminated || (closing && loop.inFlightCount() == 0 && loop.unrecordedCount() == 0);
    }

    /**
     * Stops claiming, waits for calls in flight, records their results and terminates.
     *
     * @param grace how long to wait; calls that take longer are aborted and left to the next worker
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

    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /**
     * Settings of a worker.
     *
     * @param workerName shown to users and in the history
     * @param concurrency maximum number of concurrent calls
     * @param concurrencyPerHost maximum number of concurrent calls to one host
     * @param leaseMargin how long a lease lasts beyond the timeout of the call
     * @param pollInterval maximum time between polls; finds endpoints of workers that died
     */
    public record EndpointWorkerSettings(
            String workerName, int concurrency, int concurrencyPerHost, Duration leaseMargin, Duration pollInterval) {

        public EndpointWorkerSettings {
            if (concurrency < 1 || concurrencyPerHost < 1) {
                throw new IllegalArgumentException(
                        "concurrency is %d and concurrencyPerHost is %d: both must be at least 1"
                                .formatted(concurrency, concurrencyPerHost));
            }
            if (leaseMargin.compareTo(Duration.ofMillis(1)) < 0 || pollInterval.compareTo(Duration.ofMillis(1)) < 0) {
                throw new IllegalArgumentException(
                        "leaseMargin is %s and pollInterval is %s: both must be at least 1 ms"
                                .formatted(leaseMargin, pollInterval));
            }
        }
    }

    /** Receives events of a worker, on its thread; methods must not block or throw. */
    public interface EndpointWorkerListener {

        EndpointWorkerListener NOOP = new EndpointWorkerListener() {};

        /** Called after every claim, also if it found no due endpoint. */
        default void onClaimed(int count) {}

        default void onRunRecorded(FinishedRun run) {}

        /** Leases were found lost; another worker may repeat these runs. */
        default void onLeaseLost(int count) {}

        /** Due endpoints wait because their host has reached its concurrency limit; reported at most once a second. */
        default void onHostThrottled(String host) {}

        default void onRemediationDue() {}
    }
}
