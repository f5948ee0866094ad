package dev.escapement.benchmarks.backoff;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.Ladder;
import dev.escapement.benchmarks.report.PerformanceTarget;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * When callers that failed at the same time return: the number of callers in each hundredth of the time window.
 *
 * @param name of the algorithm
 * @param attempt number of the failure
 * @param fromNanos the shortest possible wait, inclusive
 * @param toNanos the longest possible wait, inclusive
 * @param slices the number of callers in each slice of the window, in order of time
 */
record RetryDistribution(String name, int attempt, long fromNanos, long toNanos, List<Integer> slices) {

    static final int CALLERS = 100_000;
    static final int SLICES = 100;

    private static final double MAX_PERCENT_PER_SLICE = 1.2;

    /** Fixed, so that every run gives the same figures and the same picture. */
    private static final long SEED = 20_261_115;

    private static final Backoff STANDARD = Backoff.standard();

    RetryDistribution {
        slices = List.copyOf(slices);
    }

    static RetryDistribution ours(int attempt) {
        SplittableRandom random = new SplittableRandom(SEED);
        return atAttempt("Escapement", attempt, () -> STANDARD.delayNanos(attempt, random));
    }

    static RetryDistribution clampAfterJitter(int attempt) {
        SplittableRandom random = new SplittableRandom(SEED);
        ClampAfterJitterBackoff usual = new ClampAfterJitterBackoff(STANDARD.settings());
        return atAttempt("Clamp after jitter", attempt, () -> usual.delayNanos(attempt, random));
    }

    private static RetryDistribution atAttempt(String name, int attempt, LongSupplier draw) {
        Ladder.Rung rung = STANDARD.ladder(attempt).rung(attempt);
        return sample(name, attempt, rung.lowest().toNanos(), rung.highest().toNanos(), draw);
    }

    /** Draws a wait for each of {@link #CALLERS} callers. */
    static RetryDistribution sample(String name, int attempt, long fromNanos, long toNanos, LongSupplier draw) {
        int[] slices = new int[SLICES];
        for (int caller = 0; caller < CALLERS; caller++) {
            slices[sliceIndex(draw.getAsLong(), fromNanos, toNanos)]++;
        }
        return new RetryDistribution(
                name, attempt, fromNanos, toNanos, IntStream.of(slices).boxed().toList());
    }

    private static int sliceIndex(long nanos, long fromNanos, long toNanos) {
        if (nanos < fromNanos || nanos > toNanos) {
            throw new IllegalArgumentException(
                    "a wait of " + nanos + " ns: it must be from " + fromNanos + " to " + toNanos);
        }
        return (int) ((nanos - fromNanos) * SLICES / (toNanos - fromNanos + 1));
    }

    /** Returns the percentage of callers in the fullest slice; 1 if all slices are equal. */
    double maxSlicePercent() {
        return 100.0 * slices.stream().mapToInt(Integer::intValue).max().orElse(0) / CALLERS;
    }

    String formatLine() {
        return String.format(Locale.ROOT, "  %-20s attempt %d %8.2f %%", name, attempt, maxSlicePercent());
    }

    PerformanceTarget target() {
        return PerformanceTarget.atMost(
                MAX_PERCENT_PER_SLICE,
                maxSlicePercent(),
                "at attempt " + attempt + " at most 1.2 % return in the fullest 1 % of the window",
                "%.2f %%");
    }
}
