package dev.escapement.cli.command.tools;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Callers that all fail at one instant and fail again whenever they come back: when they come back, attempt by attempt.
 *
 * @param callers how many
 * @param returns one per attempt
 */
record HerdSimulation(int callers, List<RetryWave> returns) {

    /** How finely the time between the first and the last is cut. */
    static final int SLICES = 40;

    /** The times are counted in 64-bit nanoseconds: about 292 years. */
    private static final Duration MAX_TOTAL_WAIT = Duration.ofNanos(Long.MAX_VALUE);

    /**
     * One attempt's return.
     *
     * @param attempt from 1
     * @param first when the first caller is back, since the common failure
     * @param last when the last caller is back
     * @param slices how many callers come back in each slice of the time between
     * @param fullestSecond the most callers that come back within one second
     */
    record RetryWave(int attempt, Duration first, Duration last, List<Integer> slices, int fullestSecond) {}

    /**
     * Lets the callers fail {@code attempts} times.
     *
     * @throws IllegalArgumentException if the longest waits together are longer than times can be counted
     */
    static HerdSimulation simulate(Backoff backoff, int callers, int attempts, RandomGenerator random) {
        Duration longest = backoff.ladder(attempts).longestTotal();
        if (longest.compareTo(MAX_TOTAL_WAIT) > 0) {
            throw new IllegalArgumentException(
                    "a simulation of %d attempts that take up to %s: it must be at most %s; take fewer or a shorter --max"
                            .formatted(attempts, formatDays(longest), formatDays(MAX_TOTAL_WAIT)));
        }
        long[] times = new long[callers];
        List<RetryWave> returns = new ArrayList<>();
        for (int attempt = 1; attempt <= attempts; attempt++) {
            for (int caller = 0; caller < callers; caller++) {
                times[caller] = Math.addExact(times[caller], backoff.delayNanos(attempt, random));
            }
            returns.add(summarize(attempt, times));
        }
        return new HerdSimulation(callers, List.copyOf(returns));
    }

    private static RetryWave summarize(int attempt, long[] times) {
        long[] sorted = times.clone();
        Arrays.sort(sorted);
        long first = sorted[0];
        long last = sorted[sorted.length - 1];
        Integer[] slices = new Integer[SLICES];
        Arrays.fill(slices, 0);
        for (long time : sorted) {
            // Over years the quotient is rounded to 1: the last time belongs to the last slice all the same.
            double share = (time - first) / (last - first + 1.0);
            slices[Math.min(SLICES - 1, (int) (share * SLICES))]++;
        }
        return new RetryWave(
                attempt, Duration.ofNanos(first), Duration.ofNanos(last), List.of(slices), countFullestSecond(sorted));
    }

    private static String formatDays(Duration duration) {
        return DurationText.format(Duration.ofDays(duration.toDays()));
    }

    /** The largest number of times within any one second: a window that slides over the sorted times. */
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
