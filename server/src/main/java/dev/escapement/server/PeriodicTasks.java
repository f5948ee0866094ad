package dev.escapement.server;

import dev.escapement.common.FailureLog;
import dev.escapement.common.NamedThreadFactory;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks periodically on one thread. A failure is logged, and the task runs again at its next time. The names of
 * tasks begin a sentence of the log, such as {@code Renewing the lease}.
 */
public final class PeriodicTasks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTasks.class);

    /** A throttled task pauses for at least this multiple of its last duration. */
    private static final int REST_FACTOR = 20;

    private final LongSupplier ticker;
    private final ScheduledThreadPoolExecutor executor;

    public PeriodicTasks(String threadName) {
        this(threadName, System::nanoTime);
    }

    /** @param ticker a monotonic clock that measures the duration of tasks */
    PeriodicTasks(String threadName, LongSupplier ticker) {
        this.ticker = ticker;
        this.executor = new ScheduledThreadPoolExecutor(1, NamedThreadFactory.daemon(threadName));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRemoveOnCancelPolicy(true);
    }

    /** Runs a task after every interval, or after a longer pause if its last run took long. */
    public void scheduleThrottled(Duration interval, String name, Runnable task) {
        repeat(interval, REST_FACTOR, name, task);
    }

    /** Runs a task after every interval, however long its last run took. */
    public void scheduleFixedDelay(Duration interval, String name, Runnable task) {
        repeat(interval, 0, name, task);
    }

    /** Runs a task once, as soon as the thread is free. */
    public void submit(String name, Runnable task) {
        schedule(Duration.ZERO, () -> runLoggingFailure(new FailureLog(LOG, name), task));
    }

    /** Returns a runnable that submits a task; calls before the task has started are merged into one run. */
    public Runnable coalesce(String name, Runnable task) {
        AtomicBoolean scheduled = new AtomicBoolean();
        return () -> {
            if (scheduled.compareAndSet(false, true)) {
                submit(name, () -> {
                    // Before the task runs: a later call may be about a change that the task does not see.
                    scheduled.set(false);
                    task.run();
                });
            }
        };
    }

    private void repeat(Duration interval, int restFactor, String name, Runnable task) {
        FailureLog failureLog = new FailureLog(LOG, name);
        schedule(interval, new Runnable() {
            @Override
            public void run() {
                long start = ticker.getAsLong();
                runLoggingFailure(failureLog, task);
                Duration rest = Duration.ofNanos((ticker.getAsLong() - start) * restFactor);
                schedule(rest.compareTo(interval) > 0 ? rest : interval, this);
            }
        });
    }

    private static void runLoggingFailure(FailureLog failureLog, Runnable task) {
        try {
            task.run();
            failureLog.recordSuccess();
        } catch (RuntimeException | Error failure) {
            failureLog.recordFailure(failure);
        }
    }

    private void schedule(Duration delay, Runnable task) {
        try {
            var unused = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopping) {
            // A stopping server needs no maintenance.
        }
    }

    /** Whether it was not closed. */
    public boolean isAlive() {
        return !executor.isShutdown();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
