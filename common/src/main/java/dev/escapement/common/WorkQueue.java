package dev.escapement.common;

import dev.escapement.backoff.Backoff;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Processes items on a fixed number of threads, those of one key on one thread at a time. Items that are added while
 * one of their key waits are merged into it. Conflicts and failures are retried with growing delays; an item that is
 * added during a delay is processed at once. Nothing is kept of an item that is done.
 */
public final class WorkQueue<T extends WorkQueue.Item<T>> implements AutoCloseable {

    /** Work to be done. */
    public interface Item<T> {

        /** Identifies what the work is about. */
        Object key();

        /** Returns the item that stands for both this one and an earlier one of the same key. */
        T mergedWith(T earlier);
    }

    /**
     * What follows after an item was processed.
     *
     * @param conflict whether something else was in between, so that the item is retried soon
     * @param delay the time until the item is processed again; empty if only a new item of its key causes that
     */
    public record WorkResult(boolean conflict, Optional<Duration> delay) {

        public static final WorkResult DONE = new WorkResult(false, Optional.empty());

        public static final WorkResult CONFLICT = new WorkResult(true, Optional.empty());

        public static WorkResult after(Duration delay) {
            return new WorkResult(false, Optional.of(delay));
        }
    }

    /** Receives what the processor threw. Must not block or throw. */
    @FunctionalInterface
    public interface FailureListener<T> {

        /**
         * Records a failure.
         *
         * @param attempt the number of failures of this item in a row
         */
        void onFailure(T item, int attempt, Throwable failure);
    }

    /** A conflict is usually gone in a moment: something else has just been written. */
    private static final Backoff CONFLICT_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(5))
            .max(Duration.ofSeconds(1))
            .build();

    private final class Slot {
        private T item;
        private boolean changed;
        private Optional<Future<?>> delay = Optional.empty();
        private Optional<Long> startedAt = Optional.empty();
        private int conflicts;
        private int failures;
        private long failingSince;

        private Slot(T item) {
            this.item = item;
        }
    }

    private final FailureListener<T> failureListener;
    private final Runnable recoveryListener;
    private final Backoff failureBackoff;
    private final LongSupplier ticker;
    private final Map<Object, Slot> slots = new HashMap<>();
    private final ThreadPoolExecutor pool;
    private final ScheduledThreadPoolExecutor timer;
    private Optional<Function<T, WorkResult>> processor = Optional.empty();
    private boolean closed;

    /**
     * Creates a queue that accepts items at once, but processes none before {@link #start}.
     *
     * @param maxFailureDelay the longest delay before an item that failed is retried
     * @param recoveryListener called when an item that had failed was processed; must not block or throw
     */
    public WorkQueue(
            int threads, Duration maxFailureDelay, FailureListener<T> failureListener, Runnable recoveryListener) {
        this(threads, maxFailureDelay, failureListener, recoveryListener, System::nanoTime);
    }

    /** @param ticker a monotonic clock in nanoseconds */
    public WorkQueue(
            int threads,
            Duration maxFailureDelay,
            FailureListener<T> failureListener,
            Runnable recoveryListener,
            LongSupplier ticker) {
        this.ticker = ticker;
        this.failureListener = failureListener;
        this.recoveryListener = recoveryListener;
        this.failureBackoff = Backoff.builder()
                .base(Duration.ofMillis(100))
                .max(maxFailureDelay)
                .build();
        this.pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(threads, NamedThreadFactory.daemon("worker"));
        this.timer = new ScheduledThreadPoolExecutor(1, NamedThreadFactory.daemon("worker-delay"));
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * Starts to process items.
     *
     * @param processor called by several threads; what it throws is reported, and the item is retried
     */
    public synchronized void start(Function<T, WorkResult> processor) {
        this.processor = Optional.of(processor);
        slots.values().forEach(this::submit);
    }

    /** Returns at once; after {@link #close} it does nothing. */
    public synchronized void add(T item) {
        if (closed) {
            return;
        }
        Slot known = slots.get(item.key());
        if (known == null) {
            Slot slot = new Slot(item);
            slots.put(item.key(), slot);
            submit(slot);
            return;
        }
        known.item = item.mergedWith(known.item);
        known.changed = true;
        if (known.delay.isPresent()) {
            known.delay.get().cancel(false);
            endDelay(known);
        }
    }

    /** Returns how many keys are due: they wait for a thread, are being processed, or are retried. */
    public synchronized int depth() {
        return (int) slots.values().stream()
                .filter(slot -> slot.delay.isEmpty() || slot.failures > 0 || slot.conflicts > 0)
                .count();
    }

    /** Returns whether every thread has been processing one item for longer than the limit, so that all others wait. */
    public synchronized boolean isStuck(Duration limit) {
        long now = ticker.getAsLong();
        return slots.values().stream()
                        .flatMap(slot -> slot.startedAt.stream())
                        .filter(startedAt -> now - startedAt > limit.toNanos())
                        .count()
                >= pool.getMaximumPoolSize();
    }

    /** Returns how many keys have been retried without success for longer than the limit. */
    public synchronized int countFailing(Duration limit) {
        long now = ticker.getAsLong();
        return (int) slots.values().stream()
                .filter(slot -> slot.failures > 0 && now - slot.failingSince > limit.toNanos())
                .count();
    }

    /** Returns whether the threads can work. */
    public boolean isAlive() {
        return !pool.isShutdown() && !timer.isShutdown();
    }

    private void submit(Slot slot) {
        processor.ifPresent(function -> {
            try {
                pool.execute(() -> run(slot, function));
            } catch (RejectedExecutionException closing) {
                slots.remove(slot.item.key());
            }
        });
    }

    private void run(Slot slot, Function<T, WorkResult> function) {
        T item;
        synchronized (this) {
            item = slot.item;
            slot.changed = false;
            slot.startedAt = Optional.of(ticker.getAsLong());
        }
        try {
            complete(slot, function.apply(item));
        } catch (RuntimeException | Error failure) {
            fail(slot, failure);
        }
    }

    private synchronized void complete(Slot slot, WorkResult result) {
        slot.startedAt = Optional.empty();
        if (slot.failures > 0) {
            recoveryListener.run();
        }
        slot.failures = 0;
        slot.conflicts = result.conflict() ? slot.conflicts + 1 : 0;
        if (result.conflict()) {
            requeue(slot, delayAfterConflict(slot.conflicts));
        } else if (slot.changed) {
            submit(slot);
        } else if (result.delay().isPresent()) {
            requeue(slot, result.delay().get());
        } else {
            slots.remove(slot.item.key());
        }
    }

    private synchronized void fail(Slot slot, Throwable failure) {
        slot.startedAt = Optional.empty();
        if (slot.failures++ == 0) {
            slot.failingSince = ticker.getAsLong();
        }
        failureListener.onFailure(slot.item, slot.failures, failure);
        requeue(slot, delayAfterFailure(slot.failures));
    }

    /** The first retry after a conflict is immediate. */
    static Duration delayAfterConflict(int conflicts) {
        return conflicts == 1 ? Duration.ZERO : CONFLICT_BACKOFF.delay(conflicts - 1);
    }

    Duration delayAfterFailure(int failures) {
        return failureBackoff.delay(failures);
    }

    private void requeue(Slot slot, Duration delay) {
        if (delay.isZero()) {
            submit(slot);
            return;
        }
        try {
            slot.delay = Optional.of(timer.schedule(() -> endDelay(slot), delay.toNanos(), TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException closing) {
            // Nothing is known only to this queue: what is left is found again at the next start.
            slots.remove(slot.item.key());
        }
    }

    private synchronized void endDelay(Slot slot) {
        if (slot.delay.isPresent()) {
            slot.delay = Optional.empty();
            submit(slot);
        }
    }

    /** Accepts nothing new and waits for the items in process. Returns whether they finished within the time. */
    public boolean close(Duration timeout) {
        synchronized (this) {
            closed = true;
        }
        timer.shutdownNow();
        pool.getQueue().clear();
        pool.shutdown();
        try {
            if (pool.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
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
