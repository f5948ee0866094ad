package dev.escapement.crashtests.kit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A call as the sink saw it.
 *
 * @param epochMicros since 1970, when its last byte was there
 * @param path what was asked for
 * @param key its {@code Idempotency-Key}
 */
public record RecordedCall(long epochMicros, String path, String key) {

    /** One line of the sink's log. */
    static RecordedCall parse(String line) {
        String[] parts = line.split(" ", -1);
        return new RecordedCall(Long.parseLong(parts[0]), parts[1], parts[2]);
    }

    public static long epochMicros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    /** When it came. */
    public Instant at() {
        return Instant.EPOCH.plus(epochMicros, ChronoUnit.MICROS);
    }

    /** What stands behind the slash. */
    public int endpointNumber() {
        return Integer.parseInt(path.substring(1));
    }

    /** Of the run: what stands at the end of the key. */
    public long runNumber() {
        return Long.parseLong(key.substring(key.lastIndexOf('-') + 1));
    }
}
