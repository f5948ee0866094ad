package dev.escapement.cli.output.terminal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Formats durations and instants for people. */
public final class TimeFormat {

    private TimeFormat() {}

    /** Formats with at most two units: 60ms, 45s, 3m12s, 5h7m, 12d. */
    public static String formatDuration(Duration duration) {
        if (duration.isNegative()) {
            return formatDuration(duration.negated());
        }
        long seconds = duration.toSeconds();
        if (seconds == 0 && duration.toMillis() > 0) {
            return duration.toMillis() + "ms";
        }
        if (duration.toMillis() < 10_000 && duration.toMillisPart() > 0) {
            return "%d.%ds".formatted(seconds, duration.toMillisPart() / 100);
        }
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return joinUnits(duration.toMinutes(), "m", duration.toSecondsPart(), "s");
        }
        return duration.toDays() < 2
                ? joinUnits(duration.toHours(), "h", duration.toMinutesPart(), "m")
                : joinUnits(duration.toDays(), "d", duration.toHoursPart(), "h");
    }

    /** Formats the time since an instant, without a fraction of a second; 0s if it is in the future. */
    public static String formatAge(Instant since, Instant now) {
        Duration age = Duration.between(since, now);
        return formatDuration(Duration.ofSeconds(Math.max(0, age.toSeconds())));
    }

    /** Formats an instant with its distance from now: {@code 2026-11-15T12:02:00Z (in 2m)}. */
    public static String formatInstant(Instant instant, Instant now) {
        Instant shown = instant.truncatedTo(ChronoUnit.SECONDS);
        Duration ahead = Duration.between(now, instant);
        return ahead.isNegative()
                ? "%s (%s ago)".formatted(shown, formatDuration(Duration.ofSeconds(-ahead.toSeconds())))
                : "%s (in %s)".formatted(shown, formatDuration(ahead));
    }

    /** Formats an instant that may be missing; empty text if it is. */
    public static String formatInstant(Optional<Instant> instant, Instant now) {
        return instant.map(at -> formatInstant(at, now)).orElse("");
    }

    /** Formats the distance from now: {@code in 2m} or {@code 2m ago}. */
    public static String formatRelative(Instant instant, Instant now) {
        return instant.isAfter(now)
                ? "in "
                        + formatDuration(Duration.ofSeconds(
                                Math.max(1, Duration.between(now, instant).toSeconds())))
                : formatAge(instant, now) + " ago";
    }

    /** Formats a past instant: as an age, or if {@code wide} as an instant; empty text if it is missing. */
    public static String formatPast(Optional<Instant> instant, boolean wide, Instant now) {
        return instant.map(at -> wide ? formatInstant(at, now) : formatAge(at, now) + " ago")
                .orElse("");
    }

    private static String joinUnits(long large, String unit, int small, String smallUnit) {
        return small == 0 ? large + unit : large + unit + small + smallUnit;
    }
}
