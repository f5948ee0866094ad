package dev.escapement.benchmarks.endpoints;

import java.util.Locale;

/**
 * The result of a scenario.
 *
 * @param scheduler its name
 * @param statistics of the calls at the sink
 * @param statements SQL statements per run; NaN if it does not count them
 * @param commits per run, as PostgreSQL counts them; NaN without PostgreSQL
 * @param cpuMicros processor time of the process per run, in microseconds
 * @param recordDelayMillis time from the response to the last call until it was recorded, in milliseconds
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
                "of loop",
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
                        : "  %d missing, %d duplicate".formatted(statistics.missing(), statistics.duplicates()));
    }

    private static String formatNumber(double number) {
        return Double.isNaN(number) ? "-" : String.format(Locale.ROOT, "%.3f", number);
    }
}
