package dev.escapement.server.http.endpoint;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.IntervalHint;
import dev.escapement.governor.plan.OneShotHint;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.RequestSupport;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The body of a request for an action: reason, times and durations. */
record ActionBody(Map<String, Object> fields) {

    static final Set<String> COMMON_FIELDS = Set.of("by", "reason");
    static final Set<String> PAUSE_FIELDS = Set.of("until", "for", "by", "reason");
    static final Set<String> HINT_FIELDS = Set.of("interval", "at", "in", "for", "until", "by", "reason");

    private static final Duration DEFAULT_HINT_LIFETIME = Duration.ofHours(1);
    private static final int MAX_QUOTE_LENGTH = 100;
    private static final int MAX_MESSAGE_LENGTH = 300;

    Optional<String> reason() {
        return RequestSupport.readReason(fields);
    }

    /** Returns the time {@code until}, or now plus the duration {@code for}. */
    Optional<Instant> end(Instant now) {
        Optional<Instant> until = instant("until");
        Optional<Duration> length = duration("for");
        if (until.isPresent() && length.isPresent()) {
            throw HttpProblem.badRequest("until and for are both given: give one");
        }
        return until.or(() -> length.map(now::plus));
    }

    /** @throws IllegalArgumentException if the hint is invalid */
    Hint hint(Instant now, String author, String reason) {
        Optional<Duration> interval = duration("interval");
        Optional<Instant> at = instant("at");
        Optional<Duration> in = duration("in");
        long given =
                interval.stream().count() + at.stream().count() + in.stream().count();
        if (given != 1) {
            throw HttpProblem.badRequest(
                    "a hint must have exactly one of interval (how often to run), at (run once at a time) and in (run"
                            + " once after a delay); this one has " + given);
        }
        Optional<Instant> end = end(now);
        if (interval.isPresent()) {
            return new IntervalHint(interval.get(), now, end.orElse(now.plus(DEFAULT_HINT_LIFETIME)), author, reason);
        }
        Instant once = at.or(() -> in.map(now::plus)).orElseThrow();
        Instant from = once.isAfter(now) ? once : now;
        return new OneShotHint(once, now, end.orElseGet(() -> from.plus(DEFAULT_HINT_LIFETIME)), author, reason);
    }

    private Optional<Instant> instant(String key) {
        return RequestBodies.readText(fields, key).map(text -> {
            try {
                return Instant.parse(text);
            } catch (DateTimeException unreadable) {
                throw HttpProblem.badRequest("%s is %s: must be a time such as 2026-11-15T12:00:00Z"
                        .formatted(key, SafeText.quote(text, MAX_QUOTE_LENGTH)));
            }
        });
    }

    private Optional<Duration> duration(String key) {
        return RequestBodies.readText(fields, key).map(text -> {
            try {
                return DurationText.parse(text);
            } catch (IllegalArgumentException invalid) {
                throw HttpProblem.badRequest("%s is invalid: %s"
                        .formatted(key, SafeText.sanitize(String.valueOf(invalid.getMessage()), MAX_MESSAGE_LENGTH)));
            }
        });
    }
}
