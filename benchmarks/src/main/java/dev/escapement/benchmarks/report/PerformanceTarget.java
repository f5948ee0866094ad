package dev.escapement.benchmarks.report;

import java.util.Locale;

/**
 * Something that we claim, with what was found.
 *
 * @param claim the target, with its number
 * @param found what was measured
 * @param holds whether the one meets the other
 */
public record PerformanceTarget(String claim, String found, boolean holds) {

    /** A target that a number must not exceed; the format shows that number. */
    public static PerformanceTarget atMost(double limit, double found, String claim, String format) {
        return new PerformanceTarget(claim, String.format(Locale.ROOT, format, found), found <= limit);
    }

    /** A target that a number must reach; the format shows that number. */
    public static PerformanceTarget atLeast(double limit, double found, String claim, String format) {
        return new PerformanceTarget(claim, String.format(Locale.ROOT, format, found), found >= limit);
    }

    public String format() {
        return (holds ? "  PASS  " : "  MISS  ") + claim + ": " + found;
    }
}
