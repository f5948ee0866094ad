package dev.escapement.benchmarks.report;

import java.util.Arrays;

/** Percentiles of measured values. */
public final class Percentiles {

    private final double[] sorted;

    private Percentiles(double[] sorted) {
        this.sorted = sorted;
    }

    /** Returns the percentiles of these values, which may be in any order. */
    public static Percentiles of(double... values) {
        double[] copy = values.clone();
        Arrays.sort(copy);
        return new Percentiles(copy);
    }

    /** Returns the smallest value that so many percent of the values do not exceed. */
    public double at(double percent) {
        int place = (int) Math.ceil(percent / 100 * sorted.length) - 1;
        return sorted[Math.max(0, Math.min(sorted.length - 1, place))];
    }
}
