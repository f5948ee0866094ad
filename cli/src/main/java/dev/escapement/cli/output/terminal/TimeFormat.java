package dev.escapement.cli.output.terminal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as people read them. */
public final class TimeFormat {

    private TimeFormat() {}

    /** About how long, in its two largest units at most: 60ms, 45s, 3m12s, 5h7m, 12d. */
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

    /** How old, for a column. */
    public static String formatAge(Instant since, Instant now) {
        Duration age = Duration.between(since, now);
        return formatDuration(Duration.ofSeconds(Math.max(0, age.toSeconds())));
    }

    /** An instant, and how far from now that is. */
    public static String formatInstant(Instant instant, Instant now) {
        Instant shown = instant.truncatedTo(ChronoUnit.SECONDS);
        Duration ahead = Duration.between(now, instant);
        return ahead.isNegative()
                ? "%s (%s ago)".formatted(shown, formatDuration(Duration.ofSeconds(-ahead.toSeconds())))
                : "%s (in %s)".formatted(shown, formatDuration(ahead));
    }

    /** How far from now, for a column. */
    public static String formatRelative(Instant instant, Instant now) {
        return instant.isAfter(now)
                ? "in "
                        + formatDuration(Duration.ofSeconds(
                                Math.max(1, Duration.between(now, instant).toSeconds())))
                : formatAge(instant, now) + " ago";
    }

    private static String joinUnits(long large, String unit, int small, String smallUnit) {
        return small == 0 ? large + unit : large + unit + small + smallUnit;
    }
}
