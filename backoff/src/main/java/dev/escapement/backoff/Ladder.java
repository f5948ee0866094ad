package dev.escapement.backoff;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The delays of a policy, attempt by attempt: for people, documentation and time budgets. Not for waiting: nominal
 * delays have no jitter.
 *
 * @param rungs one per attempt, the first failure first, never empty
 */
public record Ladder(List<Rung> rungs) {

    /** The maximum number of rungs. */
    public static final int LONGEST = 10_000;

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
        Duration sum = Duration.ZERO;
        Duration sumLowest = Duration.ZERO;
        Duration sumHighest = Duration.ZERO;
        for (int attempt = 1; attempt <= attempts; attempt++) {
            long nanos = backoff.nominalNanos(attempt);
            Duration nominal = Duration.ofNanos(nanos);
            Duration lowest = Duration.ofNanos(backoff.lowestNanos(nanos));
            Duration highest = Duration.ofNanos(backoff.highestNanos(nanos));
            sum = sum.plus(nominal);
            sumLowest = sumLowest.plus(lowest);
            sumHighest = sumHighest.plus(highest);
            rungs.add(new Rung(attempt, nominal, lowest, highest, sum, sumLowest, sumHighest));
        }
        return new Ladder(rungs);
    }

    /** Returns the rung of an attempt, from 1. */
    public Rung rung(int attempt) {
        if (attempt < 1 || attempt > rungs.size()) {
            throw new IllegalArgumentException("attempt " + attempt + ": the ladder has attempts 1 to " + rungs.size());
        }
        return rungs.get(attempt - 1);
    }

    /** Returns the longest time that all delays can take together. */
    public Duration longestTotal() {
        return rungs.get(rungs.size() - 1).cumulativeHighest();
    }

    /** Returns whether all delays fit into {@code budget}, inclusive, even if each is the longest possible. */
    public boolean fitsWithin(Duration budget) {
        requireNonNull(budget, "budget is null");
        return longestTotal().compareTo(budget) <= 0;
    }

    /**
     * An attempt.
     *
     * @param attempt from 1, the number of failures so far
     * @param nominal the delay after this failure before jitter
     * @param lowest the shortest possible delay, inclusive
     * @param highest the longest possible delay, inclusive
     * @param cumulative the sum of the nominal delays up to this attempt
     * @param cumulativeLowest the sum of the shortest delays up to this attempt
     * @param cumulativeHighest the sum of the longest delays up to this attempt
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
