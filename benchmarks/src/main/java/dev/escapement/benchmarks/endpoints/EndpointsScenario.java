package dev.escapement.benchmarks.endpoints;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A scenario for all schedulers.
 *
 * @param title for the report
 * @param count number of endpoints
 * @param spacing between their slots; zero if all are due at once
 * @param interval of each endpoint
 * @param warmUp rounds that are not counted, while the JVM compiles
 * @param rounds rounds that are counted
 * @param delay of the responses of the sink
 * @param limits of Escapement and of the plain loop
 * @param dbSchedulerVariants settings of db-scheduler, each measured separately
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
