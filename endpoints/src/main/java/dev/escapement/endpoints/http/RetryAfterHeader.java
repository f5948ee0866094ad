package dev.escapement.endpoints.http;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Parses the header {@code Retry-After}: seconds or a date. */
final class RetryAfterHeader {

    private static final Duration MAX_DELAY = Duration.ofDays(1);

    private RetryAfterHeader() {}

    /** Returns the delay, limited to a range from zero to one day; empty if the header is missing or invalid. */
    static Optional<Duration> parse(String header, Instant now) {
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
        for (DateTimeFormatter format : dateFormats(now)) {
            try {
                return Optional.of(LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC));
            } catch (DateTimeParseException next) {
                // Not in this format; try the next.
            }
        }
        return Optional.empty();
    }

    /** The three formats of HTTP. A two-digit year is at most 50 years ahead. */
    private static List<DateTimeFormatter> dateFormats(Instant now) {
        int baseYear = now.atOffset(ZoneOffset.UTC).getYear() - 50;
        return List.of(
                DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH),
                new DateTimeFormatterBuilder()
                        .appendPattern("EEEE, dd-MMM-")
                        .appendValueReduced(ChronoField.YEAR, 2, 2, baseYear)
                        .appendPattern(" HH:mm:ss 'GMT'")
                        .toFormatter(Locale.ENGLISH),
                DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH));
    }
}
