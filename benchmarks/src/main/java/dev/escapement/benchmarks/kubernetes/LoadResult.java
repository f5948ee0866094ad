package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.AuditedRequest.Kind;
import java.util.Locale;

/**
 * The result of one load.
 *
 * @param subject operator or bare client
 * @param executions how many
 * @param latencies from the request to the run
 * @param tally the requests to the API server
 * @param cpuUsage by program
 */
record LoadResult(String subject, int executions, RunLatencies latencies, RequestTally tally, CpuUsage cpuUsage) {

    static String formatHeader() {
        return String.format(
                Locale.ROOT,
                "  %-34s %7s %8s  %20s  %20s  %7s %6s %7s %9s",
                "",
                "n",
                "per s",
                "run created p50/p99",
                "started p50/p99 ms",
                "writes",
                "reads",
                "events",
                "CPU ms");
    }

    String formatRow() {
        return String.format(
                Locale.ROOT,
                "  %-34s %,7d %8.1f  %20s  %20s  %7.2f %6.2f %7.2f %9.2f",
                subject,
                executions,
                latencies.perSecond(),
                String.format(
                        Locale.ROOT,
                        "%.1f / %.1f",
                        latencies.toRunCreated().at(50),
                        latencies.toRunCreated().at(99)),
                String.format(
                        Locale.ROOT,
                        "%.1f / %.1f",
                        latencies.toRunStarted().at(50),
                        latencies.toRunStarted().at(99)),
                (double) tally.count(Kind.WRITE) / executions,
                (double) tally.count(Kind.READ) / executions,
                (double) tally.count(Kind.EVENT) / executions,
                cpuUsage.millisPerExecution(subject, executions));
    }

    String formatDetail() {
        return "      CPU ms per execution: %s%n      writes: %s%n      reads: %s"
                .formatted(
                        cpuUsage.formatPerExecution(executions),
                        tally.formatByTitle(Kind.WRITE),
                        tally.formatByTitle(Kind.READ));
    }
}
