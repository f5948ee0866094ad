package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.Call.Kind;
import java.util.Locale;

/**
 * A load, carried.
 *
 * @param who carried it
 * @param executions how many
 * @param timing how fast
 * @param tally what was asked of the API server
 * @param processors who used how much
 */
record Measured(String who, int executions, Timing timing, Tally tally, Processors processors) {

    static String head() {
        return String.format(
                Locale.ROOT,
                "  %-34s %7s %8s  %20s  %20s  %7s %6s %7s %9s",
                "",
                "n",
                "per s",
                "run made p50/p99 ms",
                "started p50/p99 ms",
                "writes",
                "reads",
                "events",
                "CPU ms");
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "  %-34s %,7d %8.1f  %20s  %20s  %7.2f %6.2f %7.2f %9.2f",
                who,
                executions,
                timing.perSecond(),
                String.format(
                        Locale.ROOT,
                        "%.1f / %.1f",
                        timing.toRun().at(50),
                        timing.toRun().at(99)),
                String.format(
                        Locale.ROOT,
                        "%.1f / %.1f",
                        timing.toStart().at(50),
                        timing.toStart().at(99)),
                (double) tally.count(Kind.WRITE) / executions,
                (double) tally.count(Kind.READ) / executions,
                (double) tally.count(Kind.EVENT) / executions,
                processors.millisOf(who, executions));
    }

    String detail() {
        return "      CPU ms per execution: %s%n      writes: %s%n      reads: %s"
                .formatted(processors.perExecution(executions), tally.detail(Kind.WRITE), tally.detail(Kind.READ));
    }
}
