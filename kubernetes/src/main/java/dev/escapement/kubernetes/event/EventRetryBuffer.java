package dev.escapement.kubernetes.event;

import dev.escapement.backoff.Backoff;
import dev.escapement.kubernetes.KubernetesFailureLog;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;

/**
 * What could not be told. After a while it is told again: the newest as it was, because what is stored may have gone on
 * since (a target cleared once more, an execution deleted), and everything that follows from what is stored. Of that
 * only what was lost is new. As long as something is lost again, the while becomes longer.
 */
final class EventRetryBuffer {

    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofSeconds(30))
            .max(Duration.ofMinutes(15))
            .build();

    private static final int MAX_BUFFERED = 1_000;

    private final IntSupplier queuedCount;
    private final BiConsumer<Duration, Runnable> scheduler;
    private final KubernetesFailureLog failureLog = new KubernetesFailureLog("telling Events");
    private final AtomicLong lostCount = new AtomicLong();
    private final Map<String, Runnable> retriesByEvent = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Runnable> eldest) {
            return size() > MAX_BUFFERED;
        }
    };
    private volatile Runnable replayAll = () -> {};
    private boolean lostSinceRetry;
    private boolean retryScheduled;
    private int retryRounds;

    /**
     * @param waiting how much waits to be told: nothing is told again before that
     * @param later does something after a while
     */
    EventRetryBuffer(IntSupplier waiting, BiConsumer<Duration, Runnable> later) {
        this.queuedCount = waiting;
        this.scheduler = later;
    }

    /** @param again tells everything that can be told, of which what was told is left out */
    void onLoss(Runnable again) {
        this.replayAll = again;
    }

    /**
     * An Event was not told.
     *
     * @param retell tells it again
     */
    void add(String event, Throwable reason, Runnable retell) {
        lostCount.incrementAndGet();
        failureLog.recordFailure(event, reason);
        synchronized (this) {
            lostSinceRetry = true;
            retriesByEvent.put(event, retell);
            if (!retryScheduled) {
                retryScheduled = true;
                scheduleRetry();
            }
        }
    }

    /** An Event was told. */
    void recordSuccess() {
        failureLog.recordSuccess();
    }

    /** How many were not told. */
    long lostCount() {
        return lostCount.get();
    }

    private void scheduleRetry() {
        scheduler.accept(RETRY_BACKOFF.delay(retryRounds + 1), this::retry);
    }

    private void retry() {
        List<Runnable> retold;
        synchronized (this) {
            if (queuedCount.getAsInt() > 0) {
                scheduleRetry();
                return;
            }
            if (!lostSinceRetry) {
                retryScheduled = false;
                retryRounds = 0;
                return;
            }
            lostSinceRetry = false;
            retryRounds++;
            retold = List.copyOf(retriesByEvent.values());
            retriesByEvent.clear();
        }
        try {
            retold.forEach(Runnable::run);
            replayAll.run();
        } finally {
            scheduleRetry();
        }
    }
}
