package dev.escapement.benchmarks.jmh;

import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.stream.Stream;

/** How many times as long. */
public final class TimeRatio {

    private TimeRatio() {}

    /** Not a number if one of them threw, which no target accepts. */
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
