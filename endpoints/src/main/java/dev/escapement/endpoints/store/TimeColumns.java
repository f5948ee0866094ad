package dev.escapement.endpoints.store;

import dev.escapement.storage.jdbc.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Converts times and durations to and from numeric columns, in microseconds. */
final class TimeColumns {

    private static final Instant MAX_INSTANT = Instant.parse("9999-12-31T23:59:59.999999Z");

    /** Stands for no slot: the last microsecond of the year 9999, which is easy to recognise in a table. */
    static final long NEVER = EpochMicros.of(MAX_INSTANT);

    /** Stands for an absent value. */
    static final long NONE = -1;

    private TimeColumns() {}

    static Instant toInstant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    static long fromSlot(Instant at) {
        return at.isBefore(MAX_INSTANT) ? EpochMicros.of(at) : NEVER;
    }

    static long fromPlannedSlot(Optional<Instant> at) {
        return at.map(TimeColumns::fromSlot).orElse(NEVER);
    }

    static Optional<Instant> toSlot(long micros) {
        return micros < NEVER ? Optional.of(toInstant(micros)) : Optional.empty();
    }

    static long toMicrosOrNone(Optional<Instant> time) {
        return time.map(EpochMicros::of).orElse(NONE);
    }

    static long fromDuration(Optional<Duration> duration) {
        return duration.map(TimeColumns::toMicros).orElse(NONE);
    }

    static long toMicros(Duration duration) {
        return EpochMicros.of(Instant.EPOCH.plus(duration));
    }

    static Optional<Duration> toDuration(long micros) {
        return micros == NONE ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
    }
}
