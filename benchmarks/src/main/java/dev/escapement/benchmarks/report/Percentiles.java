package dev.escapement.benchmarks.report;

import java.util.Arrays;

/** Sorted measurements. */
public final class Percentiles {

    private final double[] sorted;

    private Percentiles(double[] sorted) {
        this.sorted = sorted;
    }

    /** Of these, in any order. */
    public static Percentiles of(double... values) {
        double[] copy = values.clone();
        Arrays.sort(copy);
        return new Percentiles(copy);
    }

    /** The smallest value that so many percent do not exceed. */
    public double at(double percent) {
        int place = (int) Math.ceil(percent / 100 * sorted.length) - 1;
        return sorted[Math.max(0, Math.min(sorted.length - 1, place))];
    }
}
