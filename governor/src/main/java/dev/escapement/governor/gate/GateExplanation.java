package dev.escapement.governor.gate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The result of every check of the gate, also of those after the one that decided: removing one obstacle may reveal the
 * next.
 *
 * @param checks in order
 * @param allowedAt from when the request is admitted if nothing else happens; empty if time alone is not enough
 * @param retryCondition what must happen before the request is admitted
 */
public record GateExplanation(List<CheckResult> checks, Optional<Instant> allowedAt, RetryCondition retryCondition) {

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
                .filter(check -> check.appliesTo(input))
                .map(check -> new CheckResult(check, CheckText.input(check, input), check.findObstacle(input)))
                .toList();
        RetryCondition condition = RetryCondition.of(input);
        boolean admits = results.stream().allMatch(result -> result.obstacle().isEmpty());
        return new GateExplanation(results, admits ? Optional.of(input.now()) : condition.allowedAt(), condition);
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
        List<String> conditions = new ArrayList<>();
        retryCondition.holder().ifPresent(holder -> conditions.add("execution " + holder.execution() + " ends"));
        retryCondition
                .olderRequest()
                .ifPresent(older -> conditions.add("execution " + older.execution() + ", which waits longer, has run"));
        if (retryCondition.needsClearance()) {
            conditions.add("a person clears the target");
        }
        retryCondition.notBefore().ifPresent(until -> conditions.add("it is " + until));
        return conditions;
    }
}
