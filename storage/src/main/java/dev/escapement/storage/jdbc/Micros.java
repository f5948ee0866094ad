package dev.escapement.storage.jdbc;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as numbers that both databases order alike. */
public final class Micros {

    private Micros() {}

    /** Microseconds since 1970. */
    public static long of(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }
}
