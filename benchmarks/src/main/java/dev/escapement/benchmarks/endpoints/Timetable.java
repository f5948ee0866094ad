package dev.escapement.benchmarks.endpoints;

import dev.escapement.crashtests.kit.RecordedCall;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The due times of all endpoints. The sink process and the schedulers share it, so that lateness can be measured at the
 * sink.
 *
 * @param count number of endpoints, which are numbered from 0
 * @param first when the first endpoint is due for the first time
 * @param spacing between the slots of two endpoints; zero if all are due at once
 * @param interval between two calls of an endpoint
 * @param pastRuns number of runs in the history of each endpoint
 * @param ports of the sink; the endpoints use them alternately
 */
record Timetable(int count, Instant first, Duration spacing, Duration interval, int pastRuns, List<Integer> ports) {

    private static final String DELIMITER = ";";

    /** Truncates to milliseconds, because databases round: a slot must be the same when it is read again. */
    Timetable {
        first = first.truncatedTo(ChronoUnit.MILLIS);
        ports = List.copyOf(ports);
    }

    /** Returns a text for {@link #parse} in another process. */
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

    /** Returns when an endpoint is due; rounds are numbered from 1. */
    Instant slot(int endpoint, long round) {
        return first.plus(spacing.multipliedBy(endpoint)).plus(interval.multipliedBy(round - 1));
    }

    /** Returns the round of a slot. */
    long round(int endpoint, Instant slot) {
        return Duration.between(slot(endpoint, 1), slot).dividedBy(interval) + 1;
    }

    String url(int endpoint) {
        return "http://127.0.0.1:" + ports.get(endpoint % ports.size()) + "/" + endpoint;
    }

    static String id(int endpoint) {
        return "e" + endpoint;
    }

    /** Returns the key of the call of an endpoint in a round, as the scheduler computes it. */
    String key(int endpoint, long round) {
        return id(endpoint) + "-" + (pastRuns + round);
    }

    /** Returns the lateness of a call in milliseconds. */
    double lateness(RecordedCall call) {
        return ChronoUnit.MICROS.between(slot(call.endpointNumber(), round(call)), call.at()) / 1e3;
    }

    long round(RecordedCall call) {
        return call.runNumber() - pastRuns;
    }
}
