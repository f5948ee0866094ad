package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What times the planner works with. Everything that enters it is checked against these when it is made, so that no sum
 * of them can overflow, and a clock or a client that has lost its mind is noticed instead of obeyed.
 */
final class Limits {

    static final Duration SHORTEST = Duration.ofMillis(1);
    static final Duration LONGEST = Duration.ofDays(366);
    static final Instant EARLIEST = Instant.parse("1900-01-01T00:00:00Z");
    static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private Limits() {}

    /** Whole milliseconds, because then the beats of a grid can be counted in a {@code long} over any span. */
    static void interval(String name, Duration value) {
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "%s is %s: it must be from %s to %s (a year)".formatted(name, value, SHORTEST, LONGEST));
        }
        if (!value.truncatedTo(ChronoUnit.MILLIS).equals(value)) {
            throw new IllegalArgumentException("%s is %s: it must be whole milliseconds".formatted(name, value));
        }
    }

    static void retryAfter(String name, Duration value) {
        if (value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "%s is %s: it must be from zero to %s (a year)".formatted(name, value, LONGEST));
        }
    }

    static void instant(String name, Instant value) {
        if (value.isBefore(EARLIEST) || value.isAfter(LATEST)) {
            throw new IllegalArgumentException(
                    "%s is %s: it must be from %s to %s".formatted(name, value, EARLIEST, LATEST));
        }
    }

    static void lifetime(String hint, Instant givenAt, Instant expiresAt) {
        instant("time of giving of the " + hint, givenAt);
        instant("expiry of the " + hint, expiresAt);
        if (!givenAt.isBefore(expiresAt)) {
            throw new IllegalArgumentException("%s was given at %s and expires at %s: it must expire later than that"
                    .formatted(hint, givenAt, expiresAt));
        }
    }

    static void text(String name, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("%s is \"%s\": it must not be blank".formatted(name, value));
        }
    }
}
