package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.Call.Kind;
import java.util.Locale;
import java.util.Map;

/**
 * What the operator asked of the API server while something happened.
 *
 * @param title what happened
 * @param executions how many were involved
 * @param tally everything it asked
 * @param mostWrites for any one execution
 * @param mostReads for any one execution
 */
record Phase(String title, int executions, Tally tally, long mostWrites, long mostReads) {

    static Phase of(String title, int executions, Tally tally, Map<String, String> targets) {
        return new Phase(title, executions, tally, tally.most(Kind.WRITE, targets), tally.most(Kind.READ, targets));
    }

    double per(Kind kind) {
        return (double) tally.count(kind) / executions;
    }

    static String head() {
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

    String line() {
        return String.format(
                Locale.ROOT,
                "  %-44s %5d %8.2f %6s %8.2f %6s %8.2f %8s %8s",
                title,
                executions,
                per(Kind.WRITE),
                "(%d)".formatted(mostWrites),
                per(Kind.READ),
                "(%d)".formatted(mostReads),
                per(Kind.EVENT),
                "%d all".formatted(tally.count(Kind.LEASE)),
                "%d all".formatted(tally.count(Kind.WATCH)));
    }

    /** Line by line what it wrote and read. */
    String detail() {
        return "      writes: %s%n      reads: %s%n      events: %s"
                .formatted(tally.detail(Kind.WRITE), tally.detail(Kind.READ), tally.detail(Kind.EVENT));
    }
}
