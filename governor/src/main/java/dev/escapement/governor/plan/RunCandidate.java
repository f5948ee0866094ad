package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A time at which an endpoint could run next, before clamps.
 *
 * @param source where it comes from
 * @param at when; strictly after the time of planning
 * @param retryAfter how long after the last attempt that is, jitter included, if the endpoint is failing and therefore
 *     waits from there
 * @param hint who asked for it, if somebody did
 * @param basis how the time came about, for people
 */
public record RunCandidate(
        RunSource source, Instant at, Optional<Duration> retryAfter, Optional<Hint> hint, String basis) {

    /** Total up to equality, so that the order of the hints in a schedule can make no difference. */
    static final Comparator<RunCandidate> EARLIEST_FIRST = Comparator.comparing(RunCandidate::at)
            .thenComparing(RunCandidate::source)
            .thenComparing(RunCandidate::basis)
            .thenComparing(candidate -> candidate.hint().map(Hint::author).orElse(""));

    static RunCandidate forHint(Hint hint, RunSource source, Instant at, Optional<Duration> retryAfter) {
        return new RunCandidate(source, at, retryAfter, Optional.of(hint), hint.toString());
    }
}
