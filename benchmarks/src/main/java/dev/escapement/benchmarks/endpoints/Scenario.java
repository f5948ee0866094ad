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
 */
record Scenario(
        String title,
        int count,
        Duration spacing,
        Duration interval,
        int warmUp,
        int rounds,
        Duration delay,
        Knobs knobs,
        PeerKnobs peer) {

    /** Beginning when everybody is ready. */
    Timetable timetable(Instant now, int past, List<Integer> ports) {
        Duration preparing = Duration.ofSeconds(2).plusMillis(count / 2);
        return new Timetable(count, now.plus(preparing), spacing, interval, past, ports);
    }

    long lastRound() {
        return (long) warmUp + rounds;
    }
}
