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

/** A hint as people write it. */
final class HintBody {

    static final Set<String> FIELDS = Set.of("interval", "at", "in", "for", "until", "by", "reason");

    private static final Duration DEFAULT_LIFETIME = Duration.ofHours(1);

    private HintBody() {}

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if it is none that can be
     */
    static Hint read(Map<String, Object> body, Instant now, String author, String reason) {
        Optional<Duration> interval = TimeFieldReader.readDuration(body, "interval");
        Optional<Instant> at = TimeFieldReader.readInstant(body, "at");
        Optional<Duration> in = TimeFieldReader.readDuration(body, "in");
        long given =
                interval.stream().count() + at.stream().count() + in.stream().count();
        if (given != 1) {
            throw HttpProblem.badRequest(
                    "a hint says exactly one of interval (run so often), at (run once at that time) and in (run once"
                            + " after so long); this one says " + given);
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
