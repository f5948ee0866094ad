package dev.escapement.common;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;

/** Parses the header {@code Retry-After}: seconds or a date. */
public final class RetryAfterHeader {

    private static final Duration MAX_DELAY = Duration.ofDays(1);

    private RetryAfterHeader() {}

    /** Returns the delay, limited to a range from zero to one day; empty if the header is missing or invalid. */
    public static Optional<Duration> parse(String header, Instant now) {
        String text = header.strip();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (text.matches("[0-9]{1,100}")) {
            return Optional.of(text.length() > 9 ? MAX_DELAY : clamp(Duration.ofSeconds(Long.parseLong(text))));
        }
        return parseDate(text, now).map(date -> clamp(Duration.between(now, date)));
    }

    private static Duration clamp(Duration delay) {
        if (delay.isNegative()) {
            return Duration.ZERO;
        }
        return delay.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : delay;
    }

    private static Optional<Instant> parseDate(String text, Instant now) {
        // The three formats of HTTP. A two-digit year is at most 50 years ahead.
        DateTimeFormatter anyFormat = new DateTimeFormatterBuilder()
                .appendPattern("[EEE, dd MMM yyyy HH:mm:ss 'GMT'][EEE MMM ppd HH:mm:ss yyyy]")
                .optionalStart()
                .appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(
                        ChronoField.YEAR, 2, 2, now.atOffset(ZoneOffset.UTC).getYear() - 50)
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.ENGLISH);
        try {
            return Optional.of(LocalDateTime.parse(text, anyFormat).toInstant(ZoneOffset.UTC));
        } catch (DateTimeParseException invalid) {
            return Optional.empty();
        }
    }
}
