package dev.escapement.server.standalone;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.FailureLog;
import dev.escapement.engine.Requeue;
import dev.escapement.server.DaemonThreads;
import dev.escapement.server.WorkItem;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * What has to be looked at, keyed by execution: no execution is looked at by two threads at once, and any number of
 * wake-ups while it waits is one look. A look that wants another one, or fails, is repeated with growing waits. Nothing
 * is kept of an execution that needs no look.
 */
public final class WorkQueue implements AutoCloseable {

    /** Something else was in between: usually over in a moment. */
    private static final Backoff CONFLICT_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(5))
            .max(Duration.ofSeconds(1))
            .build();

    /** The store or the executor did not answer. */
    private static final Backoff FAILURE_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(5))
            .build();

    private static final class Slot {
        private WorkItem item;
        private boolean running;
        private boolean requeueRequested;
        private int conflicts;
        private int failures;

        private Slot(WorkItem work) {
            this.item = work;
        }
    }

    private final FailureLog failureLog;
    private final Map<String, Slot> slots = new HashMap<>();
    private final ThreadPoolExecutor pool;
    private final ScheduledExecutorService timer;
    private Optional<Function<WorkItem, Requeue>> processor = Optional.empty();
    private boolean closed;

    /** Takes work at once; nothing is looked at before {@link #start}. */
    public WorkQueue(int threads, FailureLog troubles) {
        this.failureLog = troubles;
        this.pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(threads, DaemonThreads.named("worker"));
        ScheduledThreadPoolExecutor delays = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("worker-delay"));
        delays.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.timer = delays;
    }

    /**
     * Begins to work.
     *
     * @param what is done at a look; called by several threads
     */
    public synchronized void start(Function<WorkItem, Requeue> what) {
        processor = Optional.of(what);
        slots.values().forEach(slot -> pool.execute(() -> run(slot, what)));
    }

    /** Have a look soon. Returns at once; after {@link #close} it does nothing. */
    public synchronized void add(WorkItem work) {
        if (closed) {
            return;
        }
        Slot known = slots.get(work.execution().uid());
        if (known == null) {
            Slot slot = new Slot(work);
            slots.put(work.execution().uid(), slot);
            processor.ifPresent(what -> pool.execute(() -> run(slot, what)));
        } else {
            known.item = work.withTargetFrom(known.item);
            known.requeueRequested |= known.running;
        }
    }

    /** How many executions wait for a look or are being looked at. */
    public synchronized int depth() {
        return slots.size();
    }

    /** Whether its threads can work. */
    public boolean isAlive() {
        return !pool.isShutdown() && !timer.isShutdown();
    }

    private void run(Slot slot, Function<WorkItem, Requeue> what) {
        WorkItem work;
        synchronized (this) {
            work = slot.item;
            slot.running = true;
            slot.requeueRequested = false;
        }
        try {
            complete(slot, what.apply(work), what);
        } catch (RuntimeException | Error failure) {
            recordFailure(slot, failure, what);
        }
    }

    private synchronized void complete(Slot slot, Requeue next, Function<WorkItem, Requeue> what) {
        slot.running = false;
        if (slot.failures > 0) {
            failureLog.recordSuccess();
        }
        slot.failures = 0;
        if (next == Requeue.IMMEDIATELY) {
            slot.conflicts++;
            requeue(slot, what, slot.conflicts == 1 ? Duration.ZERO : CONFLICT_BACKOFF.delay(slot.conflicts - 1));
        } else if (slot.requeueRequested) {
            slot.conflicts = 0;
            requeue(slot, what, Duration.ZERO);
        } else {
            slots.remove(slot.item.execution().uid());
        }
    }

    private synchronized void recordFailure(Slot slot, Throwable failure, Function<WorkItem, Requeue> what) {
        slot.running = false;
        slot.failures++;
        failureLog.recordFailure(slot.item.execution().toString(), slot.failures, failure);
        requeue(slot, what, FAILURE_BACKOFF.delay(slot.failures));
    }

    private void requeue(Slot slot, Function<WorkItem, Requeue> what, Duration wait) {
        try {
            if (wait.isZero()) {
                pool.execute(() -> run(slot, what));
            } else {
                var unused =
                        timer.schedule(() -> pool.execute(() -> run(slot, what)), wait.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (RejectedExecutionException stopping) {
            // It is found again at the next start: nothing is known only to this queue.
            slots.remove(slot.item.execution().uid());
        }
    }

    /** Takes nothing new, and lets what is being looked at finish. Returns whether it did in time. */
    public boolean close(Duration grace) {
        synchronized (this) {
            closed = true;
        }
        timer.shutdownNow();
        pool.getQueue().clear();
        pool.shutdown();
        try {
            if (pool.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        pool.shutdownNow();
        return false;
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
