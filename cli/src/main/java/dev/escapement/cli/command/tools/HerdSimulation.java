package dev.escapement.cli.command.tools;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Simulates callers that all fail at one instant and again at each retry.
 *
 * @param waves one per attempt
 */
record HerdSimulation(int callers, List<RetryWave> waves) {

    /** Number of parts of the time between the first and the last retry. */
    static final int SLICES = 40;

    /** Times are 64-bit nanoseconds: about 292 years. */
    private static final Duration MAX_TOTAL_WAIT = Duration.ofNanos(Long.MAX_VALUE);

    /**
     * The retries of one attempt.
     *
     * @param attempt from 1
     * @param first time of the first retry, since the common failure
     * @param last time of the last retry
     * @param slices number of retries in each slice of the time between
     * @param fullestSecond the most retries within one second
     */
    record RetryWave(int attempt, Duration first, Duration last, List<Integer> slices, int fullestSecond) {}

    /** @throws IllegalArgumentException if the sum of the longest waits exceeds 64-bit nanoseconds */
    static HerdSimulation simulate(Backoff backoff, int callers, int attempts, RandomGenerator random) {
        Duration longest = backoff.ladder(attempts).longestTotal();
        if (longest.compareTo(MAX_TOTAL_WAIT) > 0) {
            throw new IllegalArgumentException(
                    "a simulation of %d attempts that take up to %s: it must be at most %s; use fewer attempts or a shorter --max"
                            .formatted(attempts, formatDays(longest), formatDays(MAX_TOTAL_WAIT)));
        }
        long[] times = new long[callers];
        List<RetryWave> waves = new ArrayList<>();
        for (int attempt = 1; attempt <= attempts; attempt++) {
            for (int caller = 0; caller < callers; caller++) {
                times[caller] = Math.addExact(times[caller], backoff.delayNanos(attempt, random));
            }
            waves.add(summarize(attempt, times));
        }
        return new HerdSimulation(callers, List.copyOf(waves));
    }

    private static RetryWave summarize(int attempt, long[] times) {
        long[] sorted = times.clone();
        Arrays.sort(sorted);
        long first = sorted[0];
        long last = sorted[sorted.length - 1];
        Integer[] slices = new Integer[SLICES];
        Arrays.fill(slices, 0);
        for (long time : sorted) {
            // For waits of years the quotient rounds to 1, which would be one slice too far.
            double share = (time - first) / (last - first + 1.0);
            slices[Math.min(SLICES - 1, (int) (share * SLICES))]++;
        }
        return new RetryWave(
                attempt, Duration.ofNanos(first), Duration.ofNanos(last), List.of(slices), countFullestSecond(sorted));
    }

    private static String formatDays(Duration duration) {
        return DurationText.format(Duration.ofDays(duration.toDays()));
    }

    /** Slides a window of one second over the sorted times. */
    private static int countFullestSecond(long[] sorted) {
        long second = Duration.ofSeconds(1).toNanos();
        int fullest = 0;
        int from = 0;
        for (int to = 0; to < sorted.length; to++) {
            while (sorted[to] - sorted[from] >= second) {
                from++;
            }
            fullest = Math.max(fullest, to - from + 1);
        }
        return fullest;
    }
}
