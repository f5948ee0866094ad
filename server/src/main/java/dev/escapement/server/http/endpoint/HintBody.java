package dev.escapement.server.http.endpoint;

import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.IntervalHint;
import dev.escapement.governor.plan.OneShotHint;
import dev.escapement.server.http.HttpProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a hint from a request body. */
final class HintBody {

    static final Set<String> FIELDS = Set.of("interval", "at", "in", "for", "until", "by", "reason");

    private static final Duration DEFAULT_LIFETIME = Duration.ofHours(1);

    private HintBody() {}

    /** @throws IllegalArgumentException if the hint is invalid */
    static Hint read(Map<String, Object> body, Instant now, String author, String reason) {
        Optional<Duration> interval = TimeFieldReader.readDuration(body, "interval");
        Optional<Instant> at = TimeFieldReader.readInstant(body, "at");
        Optional<Duration> in = TimeFieldReader.readDuration(body, "in");
        long given =
                interval.stream().count() + at.stream().count() + in.stream().count();
        if (given != 1) {
            throw HttpProblem.badRequest(
                    "a hint must have exactly one of interval (how often to run), at (run once at a time) and in (run"
                            + " once after a delay); this one has " + given);
        }
        Optional<Instant> end = TimeFieldReader.readEnd(body, now);
        if (interval.isPresent()) {
            return new IntervalHint(interval.get(), now, end.orElse(now.plus(DEFAULT_LIFETIME)), author, reason);
        }
        Instant once = at.or(() -> in.map(now::plus)).orElseThrow();
        Instant from = once.isAfter(now) ? once : now;
        return new OneShotHint(once, now, end.orElseGet(() -> from.plus(DEFAULT_LIFETIME)), author, reason);
    }
}
