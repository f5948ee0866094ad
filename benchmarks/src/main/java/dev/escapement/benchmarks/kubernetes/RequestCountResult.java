package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.AuditedRequest.Kind;
import java.util.Locale;
import java.util.Map;

/**
 * The requests of the operator to the API server in one phase.
 *
 * @param title of the phase
 * @param executions their number
 * @param tally all requests
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
                "  %-44s %5s %8s %6s %8s %6s %8s %9s %9s",
                "per execution",
                "n",
                "writes",
                "(max)",
                "reads",
                "(max)",
                "events",
                "leases",
                "watches");
    }

    String formatRow() {
        return String.format(
                Locale.ROOT,
                "  %-44s %5d %8.2f %6s %8.2f %6s %8.2f %9s %9s",
                title,
                executions,
                perExecution(Kind.WRITE),
                "(%d)".formatted(maxWrites),
                perExecution(Kind.READ),
                "(%d)".formatted(maxReads),
                perExecution(Kind.EVENT),
                "%d total".formatted(tally.count(Kind.LEASE)),
                "%d total".formatted(tally.count(Kind.WATCH)));
    }

    /** Formats the writes, reads and events by verb and resource. */
    String formatDetail() {
        return "      writes: %s%n      reads: %s%n      events: %s"
                .formatted(
                        tally.formatByTitle(Kind.WRITE),
                        tally.formatByTitle(Kind.READ),
                        tally.formatByTitle(Kind.EVENT));
    }
}
