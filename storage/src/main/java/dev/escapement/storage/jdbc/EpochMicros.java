package dev.escapement.storage.jdbc;

import java.time.Instant;

/** Converts instants to microseconds since 1970, the form in which both databases store times. */
public final class EpochMicros {

    private EpochMicros() {}

    public static long of(Instant instant) {
        // Not ChronoUnit.MICROS.between: it overflows after the year 2262.
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
    }
}
