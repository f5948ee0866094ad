package dev.escapement.governor.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When an endpoint runs next, and the whole story of why.
 *
 * @param at strictly after the time of planning
 * @param chosen the candidate that was taken, before clamps
 * @param clamp the bound that moved it, if one did
 * @param rejected every other candidate, earliest first
 * @param withoutHints the plan if nobody had hinted
 */
public record NextRunPlan(
        Instant at,
        RunCandidate chosen,
        Optional<Clamp> clamp,
        List<RejectedCandidate> rejected,
        PlanWithoutHints withoutHints) {

    /** Keeps its own copy of the list. */
    public NextRunPlan {
        rejected = List.copyOf(rejected);
    }

    /** What decided the time. */
    public RunSource source() {
        return chosen.source();
    }

    /** The story in plain words, one sentence a line. */
    public String explain() {
        StringBuilder story =
                new StringBuilder("Runs next at %s: %s (%s).".formatted(at, source().description(), chosen.basis()));
        clamp.ifPresent(moved -> story.append(
                "\nIt was %s; it would have been %s.".formatted(moved.bound().description(), moved.originalTime())));
        rejected.forEach(other -> story.append("\nNot taken: %s.".formatted(other.explain())));
        if (hasHints()) {
            story.append("\nWithout hints it would run at %s: %s."
                    .formatted(withoutHints.at(), withoutHints.source().description()));
        }
        return story.toString();
    }

    private boolean hasHints() {
        return chosen.hint().isPresent()
                || rejected.stream().anyMatch(other -> other.candidate().hint().isPresent());
    }
}
