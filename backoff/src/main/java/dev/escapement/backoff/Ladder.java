package dev.escapement.backoff;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a policy will do, attempt by attempt: for people, documents and the question whether it fits into a time budget.
 * Not for waiting: a rung's nominal time has no jitter.
 *
 * @param rungs one per attempt, the first failure first, never empty
 */
public record Ladder(List<Rung> rungs) {

    /** A longer ladder is no explanation, and would take memory without need. */
    public static final int LONGEST = 10_000;

    /** Copies the list. */
    public Ladder {
        rungs = List.copyOf(rungs);
        if (rungs.isEmpty()) {
            throw new IllegalArgumentException("a ladder has at least one rung");
        }
    }

    static Ladder of(int attempts, Backoff backoff) {
        if (attempts < 1 || attempts > LONGEST) {
            throw new IllegalArgumentException(
                    "a ladder of " + attempts + " attempts: it must have from 1 to " + LONGEST);
        }
        List<Rung> rungs = new ArrayList<>(attempts);
        Duration cumulative = Duration.ZERO;
        Duration cumulativeLowest = Duration.ZERO;
        Duration cumulativeHighest = Duration.ZERO;
        for (int attempt = 1; attempt <= attempts; attempt++) {
            long nominal = backoff.nominalNanos(attempt);
            Duration lowest = Duration.ofNanos(backoff.lowestNanos(nominal));
            Duration highest = Duration.ofNanos(backoff.highestNanos(nominal));
            cumulative = cumulative.plusNanos(nominal);
            cumulativeLowest = cumulativeLowest.plus(lowest);
            cumulativeHighest = cumulativeHighest.plus(highest);
            rungs.add(new Rung(
                    attempt,
                    Duration.ofNanos(nominal),
                    lowest,
                    highest,
                    cumulative,
                    cumulativeLowest,
                    cumulativeHighest));
        }
        return new Ladder(rungs);
    }

    /** The rung of an attempt, from 1. */
    public Rung rung(int attempt) {
        if (attempt < 1 || attempt > rungs.size()) {
            throw new IllegalArgumentException("attempt " + attempt + ": the ladder has attempts 1 to " + rungs.size());
        }
        return rungs.get(attempt - 1);
    }

    /** The longest that all waits together can take. */
    public Duration longestTotal() {
        return rungs.get(rungs.size() - 1).cumulativeHighest();
    }

    /** Whether all waits together fit into {@code budget} even if every draw is the longest; exactly equal fits. */
    public boolean fitsWithin(Duration budget) {
        requireNonNull(budget, "budget is null");
        return longestTotal().compareTo(budget) <= 0;
    }

    /**
     * One attempt.
     *
     * @param attempt from 1, the number of failures so far
     * @param nominal the wait after this failure before jitter; for reading only
     * @param lowest the shortest wait that can be drawn, inclusive
     * @param highest the longest wait that can be drawn, inclusive
     * @param cumulative the sum of the nominal waits up to here
     * @param cumulativeLowest the sum of the shortest waits up to here
     * @param cumulativeHighest the sum of the longest waits up to here
     */
    public record Rung(
            int attempt,
            Duration nominal,
            Duration lowest,
            Duration highest,
            Duration cumulative,
            Duration cumulativeLowest,
            Duration cumulativeHighest) {}
}
