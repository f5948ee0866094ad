package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The bounds of the planner's input. No sum within them can overflow, and an absurd value of a client or a clock is
 * rejected.
 */
final class ScheduleLimits {

    static final Duration MIN_INTERVAL = Duration.ofMillis(1);
    static final Duration MAX_INTERVAL = Duration.ofDays(366);
    static final Instant MIN_INSTANT = Instant.parse("1900-01-01T00:00:00Z");
    static final Instant MAX_INSTANT = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private ScheduleLimits() {}

    /** Whole milliseconds: the slots of a grid can then be counted in a {@code long} over any span. */
    static void checkInterval(String name, Duration value) {
        if (value.compareTo(MIN_INTERVAL) < 0 || value.compareTo(MAX_INTERVAL) > 0) {
            throw new IllegalArgumentException(
                    "%s is %s: it must be from %s to %s (a year)".formatted(name, value, MIN_INTERVAL, MAX_INTERVAL));
        }
        if (!value.truncatedTo(ChronoUnit.MILLIS).equals(value)) {
            throw new IllegalArgumentException("%s is %s: it must be whole milliseconds".formatted(name, value));
        }
    }

    static void checkRetryAfter(String name, Duration value) {
        if (value.isNegative() || value.compareTo(MAX_INTERVAL) > 0) {
            throw new IllegalArgumentException(
                    "%s is %s: it must be from zero to %s (a year)".formatted(name, value, MAX_INTERVAL));
        }
    }

    static void checkInstant(String name, Instant value) {
        if (value.isBefore(MIN_INSTANT) || value.isAfter(MAX_INSTANT)) {
            throw new IllegalArgumentException(
                    "%s is %s: it must be from %s to %s".formatted(name, value, MIN_INSTANT, MAX_INSTANT));
        }
    }

    static void checkHint(String hint, Instant givenAt, Instant expiresAt, String author, String reason) {
        checkInstant("time of giving of the " + hint, givenAt);
        checkInstant("expiry of the " + hint, expiresAt);
        if (!givenAt.isBefore(expiresAt)) {
            throw new IllegalArgumentException(
                    "%s was given at %s and expires at %s: it must expire later".formatted(hint, givenAt, expiresAt));
        }
        checkNotBlank("author of the " + hint, author);
        checkNotBlank("reason of the " + hint, reason);
    }

    static void checkNotBlank(String name, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("%s is \"%s\": it must not be blank".formatted(name, value));
        }
    }
}
