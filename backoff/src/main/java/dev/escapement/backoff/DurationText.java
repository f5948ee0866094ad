package dev.escapement.backoff;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses and formats durations as in settings: {@code 30s}, {@code 5m}, {@code 1h30m}, {@code 1.5s}, {@code 250ms}, or
 * ISO-8601 ({@code PT5M}). Zero needs no unit. Negative durations are rejected.
 */
public final class DurationText {

    private static final Pattern PART = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)(ns|us|µs|ms|s|m|h|d)");

    private DurationText() {}

    /**
     * Parses a duration.
     *
     * @throws IllegalArgumentException if the text is not a duration, is negative or exceeds 64-bit nanoseconds; the
     *     message has the text and examples
     */
    public static Duration parse(String text) {
        String trimmed = text.strip();
        try {
            if (trimmed.equals("0")) {
                return Duration.ZERO;
            }
            boolean iso = trimmed.regionMatches(true, 0, "P", 0, 1);
            Duration duration = iso ? Duration.parse(trimmed) : parseParts(trimmed);
            if (!duration.isNegative()) {
                return Duration.ofNanos(duration.toNanos());
            }
        } catch (DateTimeParseException | ArithmeticException notADuration) {
            // The message below is more helpful.
        }
        throw new IllegalArgumentException(
                "\"%s\" is not a duration: write 30s, 5m, 1h30m, 250ms, or ISO-8601 such as PT5M".formatted(text));
    }

    private static Duration parseParts(String text) {
        Matcher part = PART.matcher(text);
        BigDecimal nanos = BigDecimal.ZERO;
        int end = 0;
        while (end < text.length() && part.find(end) && part.start() == end) {
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(nanosIn(part.group(2)))));
            end = part.end();
        }
        if (end == 0 || end < text.length()) {
            throw new ArithmeticException("unreadable from position " + end);
        }
        return Duration.ofNanos(nanos.longValueExact());
    }

    private static long nanosIn(String unit) {
        return switch (unit) {
            case "ns" -> 1L;
            case "us", "µs" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            case "d" -> 86_400_000_000_000L;
            default -> throw new AssertionError(unit);
        };
    }

    /**
     * Formats a duration in a short form that {@link #parse} reads back as the same: {@code 1m48s}, {@code 250ms},
     * {@code 1.5s}, {@code 2d}; {@code 0s} for zero.
     */
    public static String format(Duration duration) {
        if (duration.isNegative()) {
            return "-" + format(duration.negated());
        }
        if (duration.compareTo(Duration.ofSeconds(1)) < 0 && !duration.isZero()) {
            return formatSubSecond(duration.toNanosPart());
        }
        StringBuilder text = new StringBuilder();
        append(text, duration.toDaysPart(), "d");
        append(text, duration.toHoursPart(), "h");
        append(text, duration.toMinutesPart(), "m");
        BigDecimal seconds = BigDecimal.valueOf(duration.toSecondsPart())
                .add(BigDecimal.valueOf(duration.toNanosPart(), 9))
                .stripTrailingZeros();
        if (seconds.signum() != 0 || text.length() == 0) {
            text.append(seconds.toPlainString()).append('s');
        }
        return text.toString();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount != 0) {
            text.append(amount).append(unit);
        }
    }

    private static String formatSubSecond(int nanos) {
        String unit = nanos >= 1_000_000 ? "ms" : nanos >= 1_000 ? "us" : "ns";
        return BigDecimal.valueOf(nanos)
                        .divide(BigDecimal.valueOf(nanosIn(unit)))
                        .stripTrailingZeros()
                        .toPlainString()
                + unit;
    }
}
