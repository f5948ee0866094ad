package dev.escapement.process.monitor;

import dev.escapement.common.NamedThreadFactory;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The single thread that monitors all runs, so that their state needs no locks. */
public final class EventLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    private final ScheduledThreadPoolExecutor executor =
            new ScheduledThreadPoolExecutor(1, NamedThreadFactory.daemon("escapement-runs"));

    public EventLoop() {
        // Otherwise cancelled deadlines of ended runs stay in the queue until they are due.
        executor.setRemoveOnCancelPolicy(true);
    }

    public void execute(Runnable task) {
        try {
            executor.execute(loggingFailures(task));
        } catch (RejectedExecutionException closed) {
            LOG.debug("Ignoring an event: the runner is closed");
        }
    }

    /** Schedules a task and returns an action that cancels it. */
    Runnable schedule(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> future = executor.schedule(loggingFailures(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    public void scheduleRepeatedly(Duration period, Runnable task) {
        schedule(period, () -> {
            scheduleRepeatedly(period, task);
            task.run();
        });
    }

    private static Runnable loggingFailures(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException unexpected) {
                LOG.error("Monitoring a run failed; continuing with the next event", unexpected);
            }
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
