package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.AuditedRequest.Kind;
import dev.escapement.benchmarks.report.TargetResults;

/** The targets of the request counts. */
final class RequestCountTargets {

    private static final int MAX_WRITES = 6;

    /** The second read, and one list of the runs on the target for each of the two executors. */
    private static final int MAX_READS = 3;

    private RequestCountTargets() {}

    /** Returns whether no execution needed more writes or reads than allowed. */
    static boolean isWithinLimits(RequestCountResult phase) {
        return hasFewWrites(phase) && phase.maxReads() <= MAX_READS;
    }

    private static boolean hasFewWrites(RequestCountResult phase) {
        return phase.maxWrites() <= MAX_WRITES && phase.perExecution(Kind.WRITE) <= MAX_WRITES;
    }

    static void checkCompleted(TargetResults results, RequestCountResult phase) {
        results.check(
                hasFewWrites(phase),
                "at most 6 writes, " + phase.title(),
                "%.2f, at most %d",
                phase.perExecution(Kind.WRITE),
                phase.maxWrites());
        results.check(
                phase.maxReads() <= MAX_READS && phase.perExecution(Kind.READ) <= MAX_READS,
                "at most 3 reads, " + phase.title(),
                "%.2f, at most %d",
                phase.perExecution(Kind.READ),
                phase.maxReads());
    }

    static void checkSkipped(TargetResults results, RequestCountResult phase) {
        results.check(
                phase.perExecution(Kind.WRITE) <= 1,
                "at most 1 write, " + phase.title(),
                "%.2f",
                phase.perExecution(Kind.WRITE));
    }

    static void checkQuiet(TargetResults results, RequestCountResult phase) {
        results.check(
                phase.tally().count(Kind.WRITE) == 0 && phase.tally().count(Kind.READ) == 0,
                "no writes and no reads while waiting",
                "%d writes, %d reads, %d events",
                phase.tally().count(Kind.WRITE),
                phase.tally().count(Kind.READ),
                phase.tally().count(Kind.EVENT));
    }
}
