package dev.escapement.governor.gate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The result of every check of the gate, also of those after the one that decided: removing one obstacle may reveal the
 * next.
 *
 * @param checks in order
 * @param allowedAt from when the request is admitted if nothing else happens; empty if time alone is not enough
 */
public record GateExplanation(List<CheckResult> checks, Optional<Instant> allowedAt) {

    public GateExplanation {
        checks = List.copyOf(checks);
    }

    /**
     * The result of a check.
     *
     * @param inputs what was checked, for a person
     * @param obstacle empty if the check passed
     */
    public record CheckResult(GateCheck check, String inputs, Optional<Obstacle> obstacle) {}

    static GateExplanation of(GateInput input) {
        List<CheckResult> results = Arrays.stream(GateCheck.values())
                .map(check -> new CheckResult(check, CheckText.input(check, input), check.findObstacle(input)))
                .toList();
        return new GateExplanation(results, allowedAt(input));
    }

    static Optional<Instant> allowedAt(GateInput input) {
        return Arrays.stream(GateCheck.values())
                .flatMap(check -> check.findObstacle(input).stream())
                .map(Obstacle::until)
                .reduce(Optional.of(input.now()), GateExplanation::latest);
    }

    /** Empty means never, which is later than any deadline. */
    private static Optional<Instant> latest(Optional<Instant> one, Optional<Instant> other) {
        return one.flatMap(a -> other.map(b -> a.isAfter(b) ? a : b));
    }

    /** Returns whether every check passed. */
    public boolean admits() {
        return checks.stream().allMatch(result -> result.obstacle().isEmpty());
    }

    /** Describes when the decision will change, as the end of a sentence for a person. */
    public String describeChange() {
        if (admits()) {
            return "it may run now";
        }
        return allowedAt
                .map(at -> "by itself, at " + at)
                .orElseGet(() -> "when " + String.join(", and ", requiredConditions()));
    }

    private List<String> requiredConditions() {
        List<Obstacle> obstacles = checks.stream()
                .map(CheckResult::obstacle)
                .flatMap(Optional::stream)
                .toList();
        List<String> conditions = new ArrayList<>();
        obstacles.stream()
                .flatMap(obstacle -> obstacle.holder().stream())
                .forEach(holder -> conditions.add("execution " + holder.execution() + " ends"));
        if (obstacles.stream().anyMatch(Obstacle::needsClearance)) {
            conditions.add("a person clears the target");
        }
        obstacles.stream()
                .flatMap(obstacle -> obstacle.until().stream())
                .max(Comparator.naturalOrder())
                .ifPresent(until -> conditions.add("it is " + until));
        return conditions;
    }
}
