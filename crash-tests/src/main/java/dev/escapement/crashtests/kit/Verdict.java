package dev.escapement.crashtests.kit;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The result of a judge.
 *
 * @param violations by promise, in the order of the report; an empty list means that the promise was kept
 */
public record Verdict(Map<String, List<String>> violations) {

    private static final int MAX_VIOLATIONS = 10;

    /** Returns the promises that were violated. */
    public List<String> brokenPromises() {
        return violations.entrySet().stream()
                .filter(promise -> !promise.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Prints one line per promise, and the first violations of each broken one.
     *
     * @return whether every promise was kept
     */
    public boolean print(Consumer<String> out) {
        violations.forEach((promise, found) -> {
            out.accept("  %-6s %s".formatted(found.isEmpty() ? "kept" : "BROKEN", promise));
            found.stream().limit(MAX_VIOLATIONS).forEach(violation -> out.accept("           " + violation));
        });
        return brokenPromises().isEmpty();
    }
}
