package dev.escapement.kubernetes.event;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.FailureLog;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import org.slf4j.LoggerFactory;

/**
 * Buffers Events that could not be created, and those that must not be created before one of them, and retries them in
 * order, with backoff. A retry repeats the Events themselves, because the stored state may have changed since (a target
 * cleared again, an execution deleted), and then all transitions that follow from the stored state. Thread-safe.
 */
final class EventRetryBuffer {

    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofSeconds(30))
            .max(Duration.ofMinutes(15))
            .build();

    /** Beyond it the oldest is left to what follows from the stored state, and its order is lost. */
    static final int MAX_BUFFERED = 10_000;

    /**
     * @param orderKey Events with the same one are created in order
     * @param number its place in that order
     */
    private record BufferedEvent(String orderKey, long number, Runnable retry) {}

    private final IntSupplier queuedCount;
    private final BiConsumer<Duration, Runnable> scheduler;
    private final FailureLog failureLog = new FailureLog(
            LoggerFactory.getLogger(EventRetryBuffer.class), "Publishing Events", FailureLog.RECOVERY_PERIOD);
    private final AtomicLong lostCount = new AtomicLong();
    private final Map<String, BufferedEvent> events = new LinkedHashMap<>();
    /** The numbers of the buffered Events of each order key. */
    private final Map<String, TreeSet<Long>> numbersByOrderKey = new HashMap<>();

    private volatile Runnable replayAll = () -> {};
    private boolean retryScheduled;
    private int retryRounds;

    /**
     * @param queuedCount the number of queued Events; no retry starts before it is zero
     * @param scheduler runs a task after a delay
     */
    EventRetryBuffer(IntSupplier queuedCount, BiConsumer<Duration, Runnable> scheduler) {
        this.queuedCount = queuedCount;
        this.scheduler = scheduler;
    }

    /** @param replayAll publishes all transitions that follow from the stored state */
    void onLoss(Runnable replayAll) {
        this.replayAll = replayAll;
    }

    /** Records that an Event could not be created; it is not retried. */
    void recordLoss(String event, Throwable reason) {
        lostCount.incrementAndGet();
        failureLog.recordFailure(event, reason);
    }

    /**
     * Buffers an Event that could not be created and schedules a retry. It keeps its place if it is buffered.
     *
     * @param number unique, and higher than those of earlier Events
     */
    void add(String event, String orderKey, long number, Throwable reason, Runnable retry) {
        recordLoss(event, reason);
        buffer(event, orderKey, number, retry);
    }

    /** Buffers an Event if an earlier one of its order key is buffered; returns whether there is one. */
    synchronized boolean addBehindEarlier(String event, String orderKey, long number, Runnable retry) {
        TreeSet<Long> buffered = numbersByOrderKey.get(orderKey);
        BufferedEvent known = events.get(event);
        boolean behind = buffered != null && buffered.first() < (known == null ? number : known.number());
        if (behind) {
            buffer(event, orderKey, number, retry);
        }
        return behind;
    }

    private synchronized void buffer(String event, String orderKey, long number, Runnable retry) {
        BufferedEvent known = events.get(event);
        long place = known == null ? number : known.number();
        events.put(event, new BufferedEvent(orderKey, place, retry));
        numbersByOrderKey.computeIfAbsent(orderKey, key -> new TreeSet<>()).add(place);
        if (events.size() > MAX_BUFFERED) {
            remove(events.keySet().iterator().next());
        }
        if (!retryScheduled) {
            retryScheduled = true;
            scheduleRetry();
        }
    }

    /** Removes an Event that exists, or that is of no use any more. */
    synchronized void remove(String event) {
        BufferedEvent removed = events.remove(event);
        if (removed != null) {
            numbersByOrderKey.computeIfPresent(removed.orderKey(), (key, buffered) -> {
                buffered.remove(removed.number());
                return buffered.isEmpty() ? null : buffered;
            });
        }
    }

    void recordSuccess() {
        failureLog.recordSuccess();
    }

    synchronized boolean isEmpty() {
        return events.isEmpty();
    }

    long lostCount() {
        return lostCount.get();
    }

    private void scheduleRetry() {
        scheduler.accept(RETRY_BACKOFF.delay(retryRounds + 1), this::retry);
    }

    /** Events stay buffered until they exist, so that no later one overtakes them. */
    private void retry() {
        List<Runnable> retries;
        synchronized (this) {
            if (queuedCount.getAsInt() > 0) {
                scheduleRetry();
                return;
            }
            if (events.isEmpty()) {
                retryScheduled = false;
                retryRounds = 0;
                return;
            }
            retryRounds++;
            retries = events.values().stream()
                    .sorted(Comparator.comparingLong(BufferedEvent::number))
                    .map(BufferedEvent::retry)
                    .toList();
        }
        try {
            retries.forEach(Runnable::run);
            replayAll.run();
        } finally {
            scheduleRetry();
        }
    }
}
