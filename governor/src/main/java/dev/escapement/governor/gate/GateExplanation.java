package dev.escapement.governor.gate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every check of the gate with what it saw, also those behind the one that decided: whoever removes one obstacle should
 * know of the next.
 *
 * @param checks in order
 * @param allowedAt from when on the request is admitted if nothing else happens: now, later, or (empty) not by itself
 */
public record GateExplanation(List<CheckResult> checks, Optional<Instant> allowedAt) {

    /** Copies the list. */
    public GateExplanation {
        checks = List.copyOf(checks);
    }

    /**
     * One check.
     *
     * @param check which
     * @param inputs what it looked at, for a person
     * @param obstacle what it found; empty if it has no objection
     */
    public record CheckResult(GateCheck check, String inputs, Optional<Obstacle> obstacle) {}

    static GateExplanation of(GateInput question) {
        List<CheckResult> results = new ArrayList<>();
        for (GateCheck check : GateCheck.values()) {
            results.add(
                    new CheckResult(check, CheckInputFormatter.format(check, question), check.findObstacle(question)));
        }
        return new GateExplanation(results, allowedAt(question));
    }

    /** The same without the words. */
    static Optional<Instant> allowedAt(GateInput question) {
        Optional<Instant> allowedAt = Optional.of(question.now());
        for (GateCheck check : GateCheck.values()) {
            Optional<Obstacle> obstacle = check.findObstacle(question);
            allowedAt = obstacle.isPresent() ? latest(allowedAt, obstacle.get().until()) : allowedAt;
        }
        return allowedAt;
    }

    /** What never passes by itself is later than any deadline. */
    private static Optional<Instant> latest(Optional<Instant> one, Optional<Instant> other) {
        return one.flatMap(a -> other.map(b -> a.isAfter(b) ? a : b));
    }

    /** Whether no check objects. */
    public boolean admits() {
        return checks.stream().allMatch(result -> result.obstacle().isEmpty());
    }

    /** When the answer will change, in words. */
    public String describeChange() {
        if (admits()) {
            return "nothing is in the way";
        }
        return allowedAt
                .map(at -> "by itself, at " + at)
                .orElseGet(() -> "when " + String.join(", and ", requiredConditions()));
    }

    private List<String> requiredConditions() {
        List<String> conditions = new ArrayList<>();
        boolean person = false;
        Optional<Instant> deadline = Optional.empty();
        for (CheckResult result : checks) {
            Optional<Obstacle> obstacle = result.obstacle();
            if (obstacle.flatMap(Obstacle::holder).isPresent()) {
                conditions.add("execution " + obstacle.get().holder().get().execution() + " ends");
            } else if (obstacle.isPresent() && obstacle.get().until().isEmpty()) {
                person = true;
            } else if (obstacle.isPresent()) {
                Instant until = obstacle.get().until().get();
                deadline = deadline.filter(until::isBefore).or(() -> Optional.of(until));
            }
        }
        if (person) {
            conditions.add("a person clears the target");
        }
        deadline.ifPresent(instant -> conditions.add("it is " + instant));
        return conditions;
    }
}
