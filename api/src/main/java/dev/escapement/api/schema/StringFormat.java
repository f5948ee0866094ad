package dev.escapement.api.schema;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** The values of the keyword {@code format} that restrict a string. */
final class StringFormat {

    private static final Pattern PARTS = Pattern.compile("(\\d{1,18}(\\.\\d{1,9})?(ns|us|µs|ms|s|m|h|d))+|0");

    private StringFormat() {}

    /**
     * Returns the rule that a string breaks, in words; empty if it has the format. Formats that are only a remark, such
     * as {@code uri}, accept anything.
     */
    static Optional<String> findBrokenRule(String format, String text) {
        if (format.equals("date-time") && !isTime(text)) {
            return Optional.of("must be a time such as 2026-11-15T12:00:00Z");
        }
        // An empty duration counts as absent.
        if (format.equals("duration") && !text.isEmpty() && !isDuration(text.strip())) {
            return Optional.of("must be a duration: write 30s, 5m, 1h30m, 250ms, or ISO-8601 such as PT5M");
        }
        return Optional.empty();
    }

    private static boolean isTime(String text) {
        try {
            return !Instant.parse(text).equals(Instant.MAX);
        } catch (DateTimeException unreadable) {
            return false;
        }
    }

    private static boolean isDuration(String text) {
        if (PARTS.matcher(text).matches()) {
            return true;
        }
        try {
            return !Duration.parse(text).isNegative();
        } catch (DateTimeException | ArithmeticException unreadable) {
            return false;
        }
    }
}
