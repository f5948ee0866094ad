package dev.escapement.server.http;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.SafeText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Times and durations in the body of a request. */
final class Times {

    private static final int LONGEST_QUOTE = 100;
    private static final int LONGEST_MESSAGE = 300;

    private Times() {}

    static Optional<Instant> instant(Map<String, Object> body, String key) {
        return Bodies.text(body, key).map(text -> {
            try {
                return Instant.parse(text);
            } catch (DateTimeException unreadable) {
                throw Problem.badRequest("%s is %s: it must be a time such as 2026-11-15T12:00:00Z"
                        .formatted(key, SafeText.quote(text, LONGEST_QUOTE)));
            }
        });
    }

    static Optional<Duration> duration(Map<String, Object> body, String key) {
        return Bodies.text(body, key).map(text -> {
            try {
                return DurationText.parse(text);
            } catch (IllegalArgumentException refused) {
                throw Problem.badRequest("%s is refused: %s"
                        .formatted(key, SafeText.sanitize(String.valueOf(refused.getMessage()), LONGEST_MESSAGE)));
            }
        });
    }

    /** When something ends: {@code until} that time, or {@code for} so long from now. */
    static Optional<Instant> end(Map<String, Object> body, Instant now) {
        Optional<Instant> until = instant(body, "until");
        Optional<Duration> length = duration(body, "for");
        if (until.isPresent() && length.isPresent()) {
            throw Problem.badRequest("until and for are both given: give one");
        }
        return until.or(() -> length.map(now::plus));
    }
}
