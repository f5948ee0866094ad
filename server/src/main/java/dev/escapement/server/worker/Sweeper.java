package dev.escapement.server.worker;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What happens on timers, by one thread. A task that took long waits longer before it is done again, so that it never
 * takes more than a small part of the time; one that fails is done again the next time.
 */
public final class Sweeper implements AutoCloseable {

    /** At most this part of the time is spent on one task. */
    private static final int SHARE = 20;

    private final LongSupplier nanos;
    private final ScheduledThreadPoolExecutor timer;

    /** @param name of its thread */
    public Sweeper(String name) {
        this(name, System::nanoTime);
    }

    /** @param nanos a steady clock, by which tasks are found to have taken long */
    Sweeper(String name, LongSupplier nanos) {
        this.nanos = nanos;
        this.timer = new ScheduledThreadPoolExecutor(1, Threads.named(name));
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Does a task every so often, the first time after that time. */
    public void every(Duration rhythm, String what, Runnable task) {
        Troubles troubles = new Troubles(what);
        schedule(rhythm, () -> round(rhythm, troubles, task));
    }

    /** The same for what must be done in time, however long it took the last time. */
    public void steadily(Duration rhythm, String what, Runnable task) {
        Troubles troubles = new Troubles(what);
        try {
            var unused = timer.scheduleWithFixedDelay(
                    () -> attempt(troubles, task), rhythm.toNanos(), rhythm.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopping) {
            // Nothing of it matters to a server that stops.
        }
    }

    /** Does a task as soon as the thread is free. */
    public void soon(String what, Runnable task) {
        schedule(Duration.ZERO, () -> attempt(new Troubles(what), task));
    }

    private void round(Duration rhythm, Troubles troubles, Runnable task) {
        long start = nanos.getAsLong();
        attempt(troubles, task);
        Duration rest = Duration.ofNanos((nanos.getAsLong() - start) * SHARE);
        schedule(rest.compareTo(rhythm) > 0 ? rest : rhythm, () -> round(rhythm, troubles, task));
    }

    private static void attempt(Troubles troubles, Runnable task) {
        try {
            task.run();
            troubles.worked();
        } catch (RuntimeException | Error failure) {
            troubles.failed(failure);
        }
    }

    private void schedule(Duration wait, Runnable task) {
        try {
            var unused = timer.schedule(task, wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopping) {
            // Nothing of it matters to a server that stops.
        }
    }

    /** Whether its thread can work. */
    public boolean isAlive() {
        return !timer.isShutdown();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
