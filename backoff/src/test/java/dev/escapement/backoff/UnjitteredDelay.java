package dev.escapement.backoff;

import java.time.Duration;

/**
 * Returns delays without jitter, for exact assertions. Test code, so that production code cannot use it;
 * {@code ArchitectureTest} enforces that.
 */
public final class UnjitteredDelay {

    private UnjitteredDelay() {}

    public static Duration delay(Backoff backoff, int attempt) {
        return Duration.ofNanos(backoff.nominalNanos(attempt));
    }
}
