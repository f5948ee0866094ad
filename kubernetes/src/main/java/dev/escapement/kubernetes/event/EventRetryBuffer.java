package dev.escapement.kubernetes.event;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.BoundedMap;
import dev.escapement.common.FailureLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import org.slf4j.LoggerFactory;

/**
 * Buffers Events whose creation failed and retries them with backoff. A retry repeats the newest failed Events
 * themselves, because the stored state may have changed since (a target cleared again, an execution deleted), and then
 * all transitions that follow from the stored state. Thread-safe.
 */
final class EventRetryBuffer {

    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofSeconds(30))
            .max(Duration.ofMinutes(15))
            .build();

    private static final int MAX_BUFFERED = 1_000;

    private final IntSupplier queuedCount;
    private final BiConsumer<Duration, Runnable> scheduler;
    private final FailureLog failureLog = new FailureLog(
            LoggerFactory.getLogger(EventRetryBuffer.class), "Publishing Events", FailureLog.RECOVERY_PERIOD);
    private final AtomicLong lostCount = new AtomicLong();
    private final Map<String, Runnable> retriesByEvent = new BoundedMap<>(MAX_BUFFERED);
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

    /** Records an Event that could not be created and schedules a retry. */
    void add(String event, Throwable reason, Runnable retry) {
        lostCount.incrementAndGet();
        failureLog.recordFailure(event, reason);
        synchronized (this) {
            retriesByEvent.put(event, retry);
            if (!retryScheduled) {
                retryScheduled = true;
                scheduleRetry();
            }
        }
    }

    void recordSuccess() {
        failureLog.recordSuccess();
    }

    long lostCount() {
        return lostCount.get();
    }

    private void scheduleRetry() {
        scheduler.accept(RETRY_BACKOFF.delay(retryRounds + 1), this::retry);
    }

    private void retry() {
        List<Runnable> retries;
        synchronized (this) {
            if (queuedCount.getAsInt() > 0) {
                scheduleRetry();
                return;
            }
            if (retriesByEvent.isEmpty()) {
                retryScheduled = false;
                retryRounds = 0;
                return;
            }
            retryRounds++;
            retries = List.copyOf(retriesByEvent.values());
            retriesByEvent.clear();
        }
        try {
            retries.forEach(Runnable::run);
            replayAll.run();
        } finally {
            scheduleRetry();
        }
    }
}
