package dev.escapement.benchmarks.endpoints;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What is asked of all.
 *
 * @param title for people
 * @param count endpoints
 * @param spacing between their slots; zero if all are due at once
 * @param interval of each
 * @param warmUp rounds that are not counted, for the sake of the JVM
 * @param rounds that are counted
 * @param delay of the sink
 * @param limits of ours and of the loop
 * @param dbSchedulerVariants settings of db-scheduler, each tried on its own
 */
record EndpointsScenario(
        String title,
        int count,
        Duration spacing,
        Duration interval,
        int warmUp,
        int rounds,
        Duration delay,
        ConcurrencyLimits limits,
        List<DbSchedulerSettings> dbSchedulerVariants) {

    Timetable newTimetable(Instant first, int past, List<Integer> ports) {
        return new Timetable(count, first, spacing, interval, past, ports);
    }

    long lastRound() {
        return (long) warmUp + rounds;
    }
}
