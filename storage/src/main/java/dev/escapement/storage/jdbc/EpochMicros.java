package dev.escapement.storage.jdbc;

import java.time.Instant;

/** Times as numbers that both databases order alike. */
public final class EpochMicros {

    private EpochMicros() {}

    /** Microseconds since 1970. */
    public static long of(Instant instant) {
        // Not with ChronoUnit: it counts nanoseconds, and so no further than the year 2262.
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
    }
}
