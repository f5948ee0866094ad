package dev.escapement.benchmarks.endpoints;

import dev.escapement.crashtests.kit.RecordedCall;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Who is to be called when. Known to everybody, so that whoever is called can say how late the call was.
 *
 * @param count so many endpoints, numbered from 0
 * @param first when the first of them is due for the first time
 * @param spacing so much later is each than the one before; zero if all are due at once
 * @param interval from one call of an endpoint to its next
 * @param pastRuns how many runs each has behind it already
 * @param ports of this machine, taken in turn
 */
record Timetable(int count, Instant first, Duration spacing, Duration interval, int pastRuns, List<Integer> ports) {

    private static final String DELIMITER = ";";

    /** In whole milliseconds, because databases round: a slot must be the same when it is read again. */
    Timetable {
        first = first.truncatedTo(ChronoUnit.MILLIS);
        ports = List.copyOf(ports);
    }

    /** For another process. */
    String format() {
        return String.join(
                DELIMITER,
                Integer.toString(count),
                first.toString(),
                spacing.toString(),
                interval.toString(),
                Integer.toString(pastRuns),
                ports.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    static Timetable parse(String text) {
        String[] parts = text.split(DELIMITER, -1);
        return new Timetable(
                Integer.parseInt(parts[0]),
                Instant.parse(parts[1]),
                Duration.parse(parts[2]),
                Duration.parse(parts[3]),
                Integer.parseInt(parts[4]),
                Arrays.stream(parts[5].split(",", -1)).map(Integer::valueOf).toList());
    }

    /** When an endpoint is due, in rounds from 1. */
    Instant slot(int endpoint, long round) {
        return first.plus(spacing.multipliedBy(endpoint)).plus(interval.multipliedBy(round - 1));
    }

    /** The other way around. */
    long round(int endpoint, Instant slot) {
        return Duration.between(slot(endpoint, 1), slot).dividedBy(interval) + 1;
    }

    String url(int endpoint) {
        return "http://127.0.0.1:" + ports.get(endpoint % ports.size()) + "/" + endpoint;
    }

    static String id(int endpoint) {
        return "e" + endpoint;
    }

    /** Names the call of an endpoint in a round; as the scheduler itself does it. */
    String key(int endpoint, long round) {
        return id(endpoint) + "-" + (pastRuns + round);
    }

    /** How late a call was, in milliseconds. */
    double lateness(RecordedCall arrival) {
        return ChronoUnit.MICROS.between(slot(arrival.endpointNumber(), round(arrival)), arrival.at()) / 1e3;
    }

    long round(RecordedCall arrival) {
        return arrival.runNumber() - pastRuns;
    }
}
