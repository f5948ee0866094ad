package dev.escapement.benchmarks.endpoints;

import java.util.Locale;

/**
 * What came of a scenario.
 *
 * @param scheduler made the calls
 * @param statistics at the sink
 * @param statements per run, as it counts them; not a number if it does not
 * @param commits per run, as PostgreSQL counts them; not a number where there is none
 * @param cpuMicros of the process, per run
 * @param recordDelayMillis how long after the last call was answered it was written down, in milliseconds
 */
record ScenarioResult(
        String scheduler,
        CallStatistics statistics,
        double statements,
        double commits,
        double cpuMicros,
        double recordDelayMillis) {

    static String formatHeader() {
        return String.format(
                Locale.ROOT,
                "  %-24s %9s %17s %7s   %8s %8s %8s   %5s %7s %8s %9s",
                "",
                "runs/s",
                "(slowest-fastest)",
                "to loop",
                "late p50",
                "p99",
                "max ms",
                "SQL/r",
                "commit/r",
                "CPU us/r",
                "recorded");
    }

    String formatRow(ScenarioResult loop) {
        return String.format(
                Locale.ROOT,
                "  %-24s %,9.0f %17s %6.0f%%   %8.1f %8.1f %8.1f   %5s %7s %8.0f %+8.0fms%s",
                scheduler,
                statistics.medianRate(),
                String.format(Locale.ROOT, "(%,.0f-%,.0f)", statistics.minRate(), statistics.maxRate()),
                100 * statistics.medianRate() / loop.statistics.medianRate(),
                statistics.latenessAt(50),
                statistics.latenessAt(99),
                statistics.latenessAt(100),
                formatNumber(statements),
                formatNumber(commits),
                cpuMicros,
                recordDelayMillis,
                statistics.isExact()
                        ? ""
                        : "  %d missing, %d twice".formatted(statistics.missing(), statistics.duplicates()));
    }

    private static String formatNumber(double number) {
        return Double.isNaN(number) ? "-" : String.format(Locale.ROOT, "%.3f", number);
    }
}
