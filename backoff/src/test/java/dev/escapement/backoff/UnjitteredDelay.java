package dev.escapement.backoff;

import java.time.Duration;

/**
 * The wait without its jitter, for exact assertions in tests. It lives among the tests on purpose: production code
 * cannot compile against it, and {@code ArchitectureTest} fails if some class finds a way.
 */
public final class UnjitteredDelay {

    private UnjitteredDelay() {}

    /** The nominal wait after the given failure. */
    public static Duration delay(Backoff backoff, int attempt) {
        return Duration.ofNanos(backoff.nominalNanos(attempt));
    }
}
