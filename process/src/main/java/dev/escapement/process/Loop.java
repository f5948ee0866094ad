package dev.escapement.process;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread on which runs are looked after, so that their state needs no locks. */
final class Loop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "escapement-runs");
        thread.setDaemon(true);
        return thread;
    });

    Loop() {
        // Deadlines of runs that are long over would stay until they come.
        executor.setRemoveOnCancelPolicy(true);
    }

    void execute(Runnable task) {
        try {
            executor.execute(guarded(task));
        } catch (RejectedExecutionException closed) {
            LOG.debug("nothing is looked after any more: the runner was closed");
        }
    }

    /** Returns what cancels it. */
    Runnable after(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> future = executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    void every(Duration period, Runnable task) {
        after(period, () -> {
            every(period, task);
            task.run();
        });
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException unexpected) {
                LOG.error("looking after runs failed; it goes on with the next event", unexpected);
            }
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
