package dev.escapement.benchmarks.jmh;

import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.stream.Stream;

/** Ratios of measured times. */
public final class TimeRatio {

    private TimeRatio() {}

    /** Returns NaN if one of them threw, which meets no target. */
    public static double slowestToFastest(Stream<MeasurementOutcome> outcomes) {
        DoubleSummaryStatistics nanos = outcomes.mapToDouble(
                        outcome -> outcome.nanos().orElse(Double.NaN))
                .summaryStatistics();
        return nanos.getMax() / nanos.getMin();
    }

    public static String format(double ratio) {
        return String.format(Locale.ROOT, ratio < 100 ? "%.1fx" : "%,.0fx", ratio);
    }
}
