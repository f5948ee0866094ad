package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.AuditedRequest.Kind;
import java.util.Locale;
import java.util.Map;

/**
 * What the operator asked of the API server while something happened.
 *
 * @param title what happened
 * @param executions how many were involved
 * @param tally everything it asked
 * @param maxWrites for any one execution
 * @param maxReads for any one execution
 */
record RequestCountResult(String title, int executions, RequestTally tally, long maxWrites, long maxReads) {

    static RequestCountResult of(String title, int executions, RequestTally tally, Map<String, String> targets) {
        return new RequestCountResult(
                title,
                executions,
                tally,
                tally.maxPerTarget(Kind.WRITE, targets),
                tally.maxPerTarget(Kind.READ, targets));
    }

    double perExecution(Kind kind) {
        return (double) tally.count(kind) / executions;
    }

    static String formatHeader() {
        return String.format(
                Locale.ROOT,
                "  %-44s %5s %8s %6s %8s %6s %8s %8s %8s",
                "per execution",
                "n",
                "writes",
                "(most)",
                "reads",
                "(most)",
                "events",
                "leases",
                "watches");
    }

    String formatRow() {
        return String.format(
                Locale.ROOT,
                "  %-44s %5d %8.2f %6s %8.2f %6s %8.2f %8s %8s",
                title,
                executions,
                perExecution(Kind.WRITE),
                "(%d)".formatted(maxWrites),
                perExecution(Kind.READ),
                "(%d)".formatted(maxReads),
                perExecution(Kind.EVENT),
                "%d all".formatted(tally.count(Kind.LEASE)),
                "%d all".formatted(tally.count(Kind.WATCH)));
    }

    /** Line by line what it wrote and read. */
    String formatDetail() {
        return "      writes: %s%n      reads: %s%n      events: %s"
                .formatted(
                        tally.formatByTitle(Kind.WRITE),
                        tally.formatByTitle(Kind.READ),
                        tally.formatByTitle(Kind.EVENT));
    }
}
