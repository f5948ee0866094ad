package dev.escapement.benchmarks.endpoints;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A call as the sink saw it.
 *
 * @param micros since 1970, when its last byte was there
 * @param path what was asked for
 * @param key its {@code Idempotency-Key}
 */
public record Arrival(long micros, String path, String key) {

    /** One line of the sink's log. */
    static Arrival parse(String line) {
        String[] parts = line.split(" ", -1);
        return new Arrival(Long.parseLong(parts[0]), parts[1], parts[2]);
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    /** When it came. */
    public Instant at() {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** What stands behind the slash. */
    int endpoint() {
        return Integer.parseInt(path.substring(1));
    }

    /** Of the run: what stands at the end of the key. */
    long number() {
        return Long.parseLong(key.substring(key.lastIndexOf('-') + 1));
    }
}
