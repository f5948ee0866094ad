package dev.escapement.governor.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When an endpoint runs next, and why.
 *
 * @param at strictly after the time of planning
 * @param chosen the selected candidate, before clamps
 * @param clamp the bound that moved it, if one did
 * @param rejected every other candidate, earliest first
 * @param withoutHints the plan if there were no hints
 */
public record NextRunPlan(
        Instant at,
        RunCandidate chosen,
        Optional<Clamp> clamp,
        List<RejectedCandidate> rejected,
        PlanWithoutHints withoutHints) {

    public NextRunPlan {
        rejected = List.copyOf(rejected);
    }

    public RunSource source() {
        return chosen.source();
    }

    /** Explains the plan for people, one sentence per line. */
    public String explain() {
        StringBuilder text =
                new StringBuilder("Runs next at %s: %s (%s).".formatted(at, source().description(), chosen.basis()));
        clamp.ifPresent(moved -> text.append(
                "\nIt was %s; it would have been %s.".formatted(moved.bound().description(), moved.originalTime())));
        rejected.forEach(other -> text.append("\nNot taken: %s.".formatted(other.explain())));
        boolean hasHints = chosen.hint().isPresent()
                || rejected.stream().anyMatch(other -> other.candidate().hint().isPresent());
        if (hasHints) {
            text.append("\nWithout hints it would run at %s: %s."
                    .formatted(withoutHints.at(), withoutHints.source().description()));
        }
        return text.toString();
    }

    /**
     * A bound that moved the chosen time.
     *
     * @param originalTime the time before the move
     */
    public record Clamp(Bound bound, Instant originalTime) {

        /** The bounds of a schedule. */
        public enum Bound {
            /** Not before the end of the last run + the smallest rest. */
            REST("delayed by the smallest rest after a run"),
            /** Not before now + min. */
            MIN("delayed by the minimum interval"),
            /** Not before the end of the Retry-After that the endpoint requested. */
            RETRY_AFTER("delayed by the Retry-After of the endpoint"),
            /** Not after now + max. */
            MAX("moved forward by the maximum interval");

            private final String description;

            Bound(String description) {
                this.description = description;
            }

            public String description() {
                return description;
            }
        }
    }

    /** A candidate that was not selected, and why. */
    public record RejectedCandidate(RunCandidate candidate, Reason reason) {

        public enum Reason {
            EXPIRED("it has expired"),
            ANSWERED("a run at or after its time has fulfilled it"),
            EXPIRES_FIRST("it expires before that"),
            /** An interval hint replaces baseline and backoff until it expires. */
            REPLACED("an interval hint replaces it"),
            NOT_THE_EARLIEST("another is earlier"),
            PAUSED("the endpoint is paused");

            private final String description;

            Reason(String description) {
                this.description = description;
            }

            public String description() {
                return description;
            }
        }

        /** Describes the candidate and the reason for people. */
        public String explain() {
            return "%s at %s (%s): %s"
                    .formatted(
                            candidate.source().description(), candidate.at(), candidate.basis(), reason.description());
        }
    }

    /** When an endpoint would run without its hints, and what would decide that. */
    public record PlanWithoutHints(Instant at, RunSource source) {}
}
