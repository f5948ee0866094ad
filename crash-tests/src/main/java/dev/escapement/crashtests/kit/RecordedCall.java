package dev.escapement.crashtests.kit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A call that the sink has received.
 *
 * @param epochMicros when its last byte arrived, in microseconds since 1970
 * @param path of the request
 * @param key its {@code Idempotency-Key}
 */
public record RecordedCall(long epochMicros, String path, String key) {

    /** Parses a line of the log of the sink. */
    static RecordedCall parse(String line) {
        String[] parts = line.split(" ", -1);
        return new RecordedCall(Long.parseLong(parts[0]), parts[1], parts[2]);
    }

    public static long epochMicros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    public Instant at() {
        return Instant.EPOCH.plus(epochMicros, ChronoUnit.MICROS);
    }

    /** Returns the number in the path, which must have no other content. */
    public int endpointNumber() {
        return Integer.parseInt(path.substring(1));
    }

    /** Returns the number of the run, which is the last part of the key. */
    public long runNumber() {
        return Long.parseLong(key.substring(key.lastIndexOf('-') + 1));
    }
}
