package dev.escapement.crashtests.kit;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Prints what a judge found: one line per promise, and the first violations of those that were broken. */
public final class VerdictPrinter {

    private static final int MAX_VIOLATIONS = 10;

    private VerdictPrinter() {}

    /**
     * Prints the verdict line by line.
     *
     * @param verdict violations by promise; an empty list is a promise that was kept
     * @return whether every promise was kept
     */
    public static boolean print(Map<String, List<String>> verdict, Consumer<String> out) {
        verdict.forEach((promise, violations) -> {
            out.accept("  %-6s %s".formatted(violations.isEmpty() ? "kept" : "BROKEN", promise));
            violations.stream().limit(MAX_VIOLATIONS).forEach(violation -> out.accept("           " + violation));
        });
        return verdict.values().stream().allMatch(List::isEmpty);
    }
}
