package dev.escapement.benchmarks.report;

import java.util.Locale;

/**
 * A target and the measured value.
 *
 * @param claim the target, with its limit
 * @param found the measured value
 * @param holds whether the value meets the target
 */
public record PerformanceTarget(String claim, String found, boolean holds) {

    /** Returns a target that the value must not exceed. */
    public static PerformanceTarget atMost(double limit, double found, String claim, String format) {
        return new PerformanceTarget(claim, String.format(Locale.ROOT, format, found), found <= limit);
    }

    /** Returns a target that the value must reach. */
    public static PerformanceTarget atLeast(double limit, double found, String claim, String format) {
        return new PerformanceTarget(claim, String.format(Locale.ROOT, format, found), found >= limit);
    }

    public String format() {
        return (holds ? "  PASS  " : "  MISS  ") + claim + ": " + found;
    }
}
