package dev.escapement.benchmarks;

import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.stream.Stream;

/** How many times as long. */
final class Ratio {

    private Ratio() {}

    /** Not a number if one of them threw, which no target accepts. */
    static double slowestToFastest(Stream<Outcome> outcomes) {
        DoubleSummaryStatistics nanos = outcomes.mapToDouble(
                        outcome -> outcome.nanos().orElse(Double.NaN))
                .summaryStatistics();
        return nanos.getMax() / nanos.getMin();
    }

    static String text(double ratio) {
        return String.format(Locale.ROOT, ratio < 100 ? "%.1fx" : "%,.0fx", ratio);
    }
}
