package dev.escapement.server.http.endpoint;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.RequestBodies;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Reads times and durations of a request body. */
final class TimeFieldReader {

    private static final int MAX_QUOTE_LENGTH = 100;
    private static final int MAX_MESSAGE_LENGTH = 300;

    private TimeFieldReader() {}

    static Optional<Instant> readInstant(Map<String, Object> body, String key) {
        return RequestBodies.readText(body, key).map(text -> {
            try {
                return Instant.parse(text);
            } catch (DateTimeException unreadable) {
                throw HttpProblem.badRequest("%s is %s: must be a time such as 2026-11-15T12:00:00Z"
                        .formatted(key, SafeText.quote(text, MAX_QUOTE_LENGTH)));
            }
        });
    }

    static Optional<Duration> readDuration(Map<String, Object> body, String key) {
        return RequestBodies.readText(body, key).map(text -> {
            try {
                return DurationText.parse(text);
            } catch (IllegalArgumentException invalid) {
                throw HttpProblem.badRequest("%s is invalid: %s"
                        .formatted(key, SafeText.sanitize(String.valueOf(invalid.getMessage()), MAX_MESSAGE_LENGTH)));
            }
        });
    }

    /** Returns the time {@code until}, or now plus the duration {@code for}. */
    static Optional<Instant> readEnd(Map<String, Object> body, Instant now) {
        Optional<Instant> until = readInstant(body, "until");
        Optional<Duration> length = readDuration(body, "for");
        if (until.isPresent() && length.isPresent()) {
            throw HttpProblem.badRequest("until and for are both given: give one");
        }
        return until.or(() -> length.map(now::plus));
    }
}
