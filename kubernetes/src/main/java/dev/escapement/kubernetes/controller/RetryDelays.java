package dev.escapement.kubernetes.controller;

import dev.escapement.backoff.Backoff;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How often in a row something had to be looked at again, and so how long to wait before the next look. */
final class RetryDelays {

    /** Something else was in between: usually over in a moment. */
    private static final Backoff CONFLICT_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(5))
            .max(Duration.ofSeconds(1))
            .build();

    /** The API server did not answer. */
    private static final Backoff FAILURE_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(10))
            .build();

    private final Map<String, Integer> attemptsByKey = new ConcurrentHashMap<>();

    /** The wait after something else was in between. */
    Duration nextConflictDelay(String key) {
        return CONFLICT_BACKOFF.delay(attemptsByKey.merge(key, 1, Integer::sum));
    }

    /** The wait after it did not work. */
    Duration nextFailureDelay(String key) {
        return FAILURE_BACKOFF.delay(attemptsByKey.merge(key, 1, Integer::sum));
    }

    /** It is done, or there is nothing left to do. */
    void reset(String key) {
        attemptsByKey.remove(key);
    }
}
