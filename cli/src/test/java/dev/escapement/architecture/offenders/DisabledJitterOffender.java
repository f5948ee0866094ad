package dev.escapement.architecture.offenders;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.Spread;
import java.time.Duration;

/** Decided that its callers need no jitter. */
public final class DisabledJitterOffender {

    private DisabledJitterOffender() {}

    static Duration byBuilder(int attempt) {
        return Backoff.builder().jitterPercent(0).build().delay(attempt);
    }

    static Duration bySettings(int attempt) {
        Duration wait = Duration.ofMinutes(1);
        return Backoff.of(new BackoffSettings(wait, wait, 1, 0, 0, Spread.PERCENT))
                .delay(attempt);
    }
}
