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
}
