package dev.escapement.benchmarks;

import java.util.Locale;

/**
 * Something that we claim, with what was found.
 *
 * @param claim the target, with its number
 * @param found what was measured
 * @param holds whether the one meets the other
 */
record Target(String claim, String found, boolean holds) {

    /** A target that a number must not exceed; the format shows that number. */
    static Target atMost(double limit, double found, String claim, String format) {
        return new Target(claim, String.format(Locale.ROOT, format, found), found <= limit);
    }

    /** A target that a number must reach; the format shows that number. */
    static Target atLeast(double limit, double found, String claim, String format) {
        return new Target(claim, String.format(Locale.ROOT, format, found), found >= limit);
    }

    String line() {
        return (holds ? "  PASS  " : "  MISS  ") + claim + ": " + found;
    }
}
