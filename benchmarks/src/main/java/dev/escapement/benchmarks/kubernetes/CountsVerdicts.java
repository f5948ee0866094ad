package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.endpoints.Verdicts;
import dev.escapement.benchmarks.kubernetes.Call.Kind;

/** The targets of what is counted. */
final class CountsVerdicts {

    private static final int MOST_WRITES = 6;

    private CountsVerdicts() {}

    /** Whether nothing was written or read twice. */
    static boolean isLean(Phase phase) {
        return areFewWrites(phase) && phase.mostReads() <= 1;
    }

    private static boolean areFewWrites(Phase phase) {
        return phase.mostWrites() <= MOST_WRITES && phase.per(Kind.WRITE) <= MOST_WRITES;
    }

    static void completed(Verdicts verdicts, Phase phase) {
        verdicts.judge(
                areFewWrites(phase),
                "at most 6 writes, " + phase.title(),
                "%.2f, at most %d",
                phase.per(Kind.WRITE),
                phase.mostWrites());
        verdicts.judge(
                phase.mostReads() <= 1 && phase.per(Kind.READ) <= 1,
                "at most 1 read, " + phase.title(),
                "%.2f, at most %d",
                phase.per(Kind.READ),
                phase.mostReads());
    }

    static void skipped(Verdicts verdicts, Phase phase) {
        verdicts.judge(phase.per(Kind.WRITE) <= 1, "at most 1 write, " + phase.title(), "%.2f", phase.per(Kind.WRITE));
    }

    static void quiet(Verdicts verdicts, Phase phase) {
        verdicts.judge(
                phase.tally().count(Kind.WRITE) == 0 && phase.tally().count(Kind.READ) == 0,
                "no writes and no reads while waiting",
                "%d writes, %d reads, %d events",
                phase.tally().count(Kind.WRITE),
                phase.tally().count(Kind.READ),
                phase.tally().count(Kind.EVENT));
    }
}
