package dev.escapement.benchmarks.standalone;

import java.util.Arrays;

/** Sorted measurements. */
record Percentiles(double[] sorted) {

    static Percentiles of(double... values) {
        double[] copy = values.clone();
        Arrays.sort(copy);
        return new Percentiles(copy);
    }

    double at(double percent) {
        return sorted[(int) Math.min(sorted.length - 1, Math.ceil(percent / 100 * sorted.length) - 1)];
    }
}
