package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A time at which an endpoint could run next, before clamps.
 *
 * @param at strictly after the time of planning
 * @param retryAfter if the endpoint is failing, the delay after the last run, jitter included
 * @param hint the hint that it follows from, if any
 * @param basis how the time was determined, for people
 */
public record RunCandidate(
        RunSource source, Instant at, Optional<Duration> retryAfter, Optional<Hint> hint, String basis) {

    /** A total order, so that the order of the hints in a schedule does not matter. */
    static final Comparator<RunCandidate> EARLIEST_FIRST = Comparator.comparing(RunCandidate::at)
            .thenComparing(RunCandidate::source)
            .thenComparing(RunCandidate::basis)
            .thenComparing(candidate -> candidate.hint().map(Hint::author).orElse(""));

    static RunCandidate withoutHint(RunSource source, Instant at, Optional<Duration> retryAfter, String basis) {
        return new RunCandidate(source, at, retryAfter, Optional.empty(), basis);
    }

    static RunCandidate forHint(Hint hint, RunSource source, Instant at, Optional<Duration> retryAfter) {
        return new RunCandidate(source, at, retryAfter, Optional.of(hint), hint.toString());
    }
}
