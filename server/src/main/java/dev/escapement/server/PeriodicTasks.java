package dev.escapement.server;

import dev.escapement.common.FailureLog;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens on timers, by one thread. A task that took long waits longer before it is done again, so that it never
 * takes more than a small part of the time; one that fails is done again the next time.
 */
public final class PeriodicTasks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTasks.class);

    /** At most this part of the time is spent on one task. */
    private static final int REST_FACTOR = 20;

    private final LongSupplier ticker;
    private final ScheduledThreadPoolExecutor executor;

    /** @param name of its thread */
    public PeriodicTasks(String name) {
        this(name, System::nanoTime);
    }

    /** @param nanos a steady clock, by which tasks are found to have taken long */
    PeriodicTasks(String name, LongSupplier nanos) {
        this.ticker = nanos;
        this.executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(name));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRemoveOnCancelPolicy(true);
    }

    /** Does a task every so often, the first time after that time. */
    public void scheduleThrottled(Duration rhythm, String what, Runnable task) {
        FailureLog troubles = new FailureLog(LOG, what);
        schedule(rhythm, () -> runAndReschedule(rhythm, troubles, task));
    }

    /** The same for what must be done in time, however long it took the last time. */
    public void scheduleFixedDelay(Duration rhythm, String what, Runnable task) {
        FailureLog troubles = new FailureLog(LOG, what);
        try {
            var unused = executor.scheduleWithFixedDelay(
                    () -> runLoggingFailure(troubles, task), rhythm.toNanos(), rhythm.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopping) {
            // Nothing of it matters to a server that stops.
        }
    }

    /** Does a task as soon as the thread is free. */
    public void submit(String what, Runnable task) {
        schedule(Duration.ZERO, () -> runLoggingFailure(new FailureLog(LOG, what), task));
    }

    private void runAndReschedule(Duration rhythm, FailureLog troubles, Runnable task) {
        long start = ticker.getAsLong();
        runLoggingFailure(troubles, task);
        Duration rest = Duration.ofNanos((ticker.getAsLong() - start) * REST_FACTOR);
        schedule(rest.compareTo(rhythm) > 0 ? rest : rhythm, () -> runAndReschedule(rhythm, troubles, task));
    }

    private static void runLoggingFailure(FailureLog troubles, Runnable task) {
        try {
            task.run();
            troubles.recordSuccess();
        } catch (RuntimeException | Error failure) {
            troubles.recordFailure(failure);
        }
    }

    private void schedule(Duration wait, Runnable task) {
        try {
            var unused = executor.schedule(task, wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopping) {
            // Nothing of it matters to a server that stops.
        }
    }

    /** Whether its thread can work. */
    public boolean isAlive() {
        return !executor.isShutdown();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
