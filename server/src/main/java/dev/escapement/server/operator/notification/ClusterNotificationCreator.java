package dev.escapement.server.operator.notification;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.FailureLog;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.notifications.folding.NotificationPlanner;
import dev.escapement.notifications.message.NotificationName;
import dev.escapement.notifications.worker.DeliveryListener;
import dev.escapement.server.operator.notification.NotificationWriter.Result;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * Creates the notifications of transitions, on one thread. It begins at the stored position, so that a transition is
 * not lost with the process that has made it, and old ones are not notified again.
 *
 * <p>The position is that of a minute before and is stored once a minute, if anything has changed: a list of the API
 * server has no order, and while a cache is filled again it may have a later version before an earlier one.
 */
final class ClusterNotificationCreator implements AutoCloseable {

    private static final Duration POSITION_INTERVAL = Duration.ofMinutes(1);

    /** A summary is a large object during a storm, and no reader waits for it. */
    private static final Duration SUMMARY_PAUSE = Duration.ofSeconds(1);

    /** More are found again in the stored state when these are written. */
    static final int MAX_PENDING = 10_000;

    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(10))
            .build();

    private final Journal journal;
    private final Function<ClusterNotificationCreator, TransitionSource> sources;
    private final Supplier<NotificationPlanner> planner;
    private final NotificationWriter writer;
    private final NotificationPosition.Store positionStore;
    private final DeliveryListener listener;
    private final LongSupplier ticker;
    private final int maxPending;
    private final FailureLog failureLog =
            new FailureLog(LoggerFactory.getLogger(ClusterNotificationCreator.class), "Creating notifications");
    private final Map<String, Transition> pending = new LinkedHashMap<>();
    /** Whether there are transitions for which pending had no room; guarded by it. */
    private boolean overflowed;

    private final Semaphore wakeups = new Semaphore(0);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread = NamedThreadFactory.daemonThread("notification-creator", this::run);
    private Optional<Journal.Subscription> subscription = Optional.empty();
    private Optional<TransitionSource> source = Optional.empty();
    private String journalPosition = Journal.START;
    private NotificationPosition storedPosition = new NotificationPosition(0, 0);
    private NotificationPosition seenPosition = new NotificationPosition(0, 0);
    private long positionCheckedAt;

    /**
     * Creates a creator; {@link #start} starts it.
     *
     * @param sources makes a source that reports to this creator
     * @param ticker a monotonic clock in nanoseconds
     * @param maxPending how many transitions are kept in memory
     */
    ClusterNotificationCreator(
            Journal journal,
            Function<ClusterNotificationCreator, TransitionSource> sources,
            Supplier<NotificationPlanner> planner,
            NotificationWriter writer,
            NotificationPosition.Store positionStore,
            DeliveryListener listener,
            LongSupplier ticker,
            int maxPending) {
        this.journal = journal;
        this.sources = sources;
        this.planner = planner;
        this.writer = writer;
        this.positionStore = positionStore;
        this.listener = listener;
        this.ticker = ticker;
        this.maxPending = maxPending;
    }

    void start() {
        thread.start();
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    /**
     * Creates the notification of a transition soon, if it needs one and has none. Does not block watches: what they
     * report beyond the limit is found again in the stored state.
     */
    void offer(Transition transition) {
        if (!planner.get().isNotable(transition)) {
            return;
        }
        if (pendingCount() >= maxPending && Thread.currentThread() == thread && source.isPresent()) {
            writePending();
        }
        synchronized (pending) {
            String name = NotificationName.of(transition);
            if (pending.size() < maxPending) {
                pending.putIfAbsent(name, transition);
            } else if (!pending.containsKey(name)) {
                overflowed = true;
            }
        }
        wakeups.release();
    }

    private int pendingCount() {
        synchronized (pending) {
            return pending.size();
        }
    }

    private void run() {
        int failures = 0;
        while (stopped.getCount() > 0) {
            try {
                if (source.isEmpty()) {
                    begin();
                }
                boolean summarised = createPending();
                findDroppedAgain();
                storePositionIfDue();
                failures = 0;
                failureLog.recordSuccess();
                await(summarised ? SUMMARY_PAUSE : Duration.ZERO);
            } catch (InterruptedException ended) {
                return;
            } catch (RuntimeException failure) {
                if (stopped.getCount() == 0) {
                    return;
                }
                failures++;
                failureLog.recordFailure(failure);
                if (!awaitRetry(failures)) {
                    return;
                }
            }
        }
    }

    private boolean awaitRetry(int failures) {
        try {
            var unused = stopped.await(RETRY_BACKOFF.delayNanos(failures), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException ended) {
            return false;
        }
    }

    private void await(Duration pause) throws InterruptedException {
        var ended = stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        if (!ended && wakeups.tryAcquire(POSITION_INTERVAL.toNanos(), TimeUnit.NANOSECONDS)) {
            wakeups.drainPermits();
        }
    }

    /** Without a stored position, what happened before is not notified: this is the first start. */
    private void begin() {
        TransitionSource opened = sources.apply(this);
        String end = journal.endPosition();
        NotificationPosition newest = opened.newestVersions();
        Optional<NotificationPosition> stored = positionStore.read();
        if (stored.isEmpty()) {
            positionStore.write(newest);
        }
        storedPosition = stored.orElse(newest);
        seenPosition = storedPosition;
        positionCheckedAt = ticker.getAsLong();
        journalPosition = stored.map(position -> Long.toUnsignedString(position.executions()))
                .orElse(end);
        subscription = Optional.of(journal.onAppend(wakeups::release));
        opened.start(storedPosition);
        source = Optional.of(opened);
    }

    /** Returns whether a summary was written. */
    private boolean createPending() {
        journalPosition = source.orElseThrow().readJournal(journalPosition);
        return writePending();
    }

    private boolean writePending() {
        List<Transition> batch;
        synchronized (pending) {
            batch = pending.values().stream()
                    .sorted(Comparator.comparing(Transition::at).thenComparing(NotificationName::of))
                    .toList();
        }
        if (batch.isEmpty()) {
            return false;
        }
        Result result = writer.write(batch);
        synchronized (pending) {
            batch.forEach(transition -> pending.remove(NotificationName.of(transition)));
            result.left().forEach(transition -> pending.put(NotificationName.of(transition), transition));
        }
        if (!result.left().isEmpty()) {
            wakeups.release();
        }
        if (result.created() + result.folded() > 0) {
            listener.onCreated(result.created(), result.folded());
        }
        return result.folded() > 0;
    }

    /** Reads again what has changed since the stored position; what has a notification is recognised by its name. */
    private void findDroppedAgain() {
        synchronized (pending) {
            if (!overflowed || !pending.isEmpty()) {
                return;
            }
            overflowed = false;
        }
        try {
            journalPosition = Long.toUnsignedString(storedPosition.executions());
            source.orElseThrow().reportSince(storedPosition);
            wakeups.release();
        } catch (RuntimeException failure) {
            synchronized (pending) {
                overflowed = true;
            }
            throw failure;
        }
    }

    private void storePositionIfDue() {
        long now = ticker.getAsLong();
        boolean due = now - positionCheckedAt >= POSITION_INTERVAL.toNanos();
        if (!due || isBusy()) {
            return;
        }
        positionCheckedAt = now;
        NotificationPosition next = storedPosition.max(seenPosition);
        seenPosition = source.orElseThrow().newestVersions();
        if (!next.equals(storedPosition)) {
            positionStore.write(next);
            storedPosition = next;
        }
    }

    private boolean isBusy() {
        synchronized (pending) {
            return !pending.isEmpty() || overflowed;
        }
    }

    @Override
    public void close() {
        stopped.countDown();
        subscription.ifPresent(Journal.Subscription::close);
        thread.interrupt();
    }
}
