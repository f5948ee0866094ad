package dev.escapement.benchmarks.endpoints;

import java.util.Locale;

/**
 * What came of a scenario.
 *
 * @param who made the calls
 * @param figures at the sink
 * @param statements per run, as it counts them; not a number if it does not
 * @param commits per run, as PostgreSQL counts them; not a number where there is none
 * @param cpuMicros of the process, per run
 * @param recordedAfter how long after the last call was answered it was written down, in milliseconds
 */
record Outcome(String who, Figures figures, double statements, double commits, double cpuMicros, double recordedAfter) {

    static String head() {
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

    String line(Outcome loop) {
        return String.format(
                Locale.ROOT,
                "  %-24s %,9.0f %17s %6.0f%%   %8.1f %8.1f %8.1f   %5s %7s %8.0f %+8.0fms%s",
                who,
                figures.median(),
                String.format(Locale.ROOT, "(%,.0f-%,.0f)", figures.slowest(), figures.fastest()),
                100 * figures.median() / loop.figures.median(),
                figures.late(50),
                figures.late(99),
                figures.late(100),
                shown(statements),
                shown(commits),
                cpuMicros,
                recordedAfter,
                figures.isExact() ? "" : "  %d missing, %d twice".formatted(figures.missing(), figures.twice()));
    }

    private static String shown(double number) {
        return Double.isNaN(number) ? "-" : String.format(Locale.ROOT, "%.3f", number);
    }
}
