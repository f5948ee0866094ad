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
public record Plan(
        Instant at, Candidate chosen, Optional<Clamp> clamp, List<Rejection> rejected, Counterfactual withoutHints) {

    /** Keeps its own copy of the list. */
    public Plan {
        rejected = List.copyOf(rejected);
    }

    /** What decided the time. */
    public RunSource source() {
        return chosen.source();
    }

    /** The story in plain words, one sentence a line. */
    public String explain() {
        StringBuilder story =
                new StringBuilder("Runs next at %s: %s (%s).".formatted(at, source().inWords(), chosen.basis()));
        clamp.ifPresent(moved -> story.append(
                "\nIt was %s; it would have been %s.".formatted(moved.bound().inWords(), moved.before())));
        rejected.forEach(other -> story.append("\nNot taken: %s.".formatted(other.explain())));
        if (hintsWereGiven()) {
            story.append("\nWithout hints it would run at %s: %s."
                    .formatted(withoutHints.at(), withoutHints.source().inWords()));
        }
        return story.toString();
    }

    private boolean hintsWereGiven() {
        return chosen.hint().isPresent()
                || rejected.stream().anyMatch(other -> other.candidate().hint().isPresent());
    }
}
