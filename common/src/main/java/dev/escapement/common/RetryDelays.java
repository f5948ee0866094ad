package dev.escapement.common;

import dev.escapement.backoff.Backoff;
import java.time.Duration;

/** The delays before an item is retried, by how many times in a row it was. */
final class RetryDelays {

    /** A conflict is usually gone in a moment: something else has just been written. */
    private static final Backoff CONFLICT_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(5))
            .max(Duration.ofSeconds(1))
            .build();

    private final Backoff failureBackoff;

    /** @param maxFailureDelay the longest delay after a failure */
    RetryDelays(Duration maxFailureDelay) {
        this.failureBackoff = Backoff.builder()
                .base(Duration.ofMillis(100))
                .max(maxFailureDelay)
                .build();
    }

    /** The first retry after a conflict is immediate. */
    Duration afterConflict(int conflicts) {
        return conflicts == 1 ? Duration.ZERO : CONFLICT_BACKOFF.delay(conflicts - 1);
    }

    Duration afterFailure(int failures) {
        return failureBackoff.delay(failures);
    }
}
