package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.report.Percentiles;
import dev.escapement.crashtests.kit.RecordedCall;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * What the sink saw of some rounds of a timetable.
 *
 * @param expected calls
 * @param missing calls that did not come
 * @param duplicates calls that came once more than they should
 * @param rates calls per second, by round: from the first slot of the round to its last call
 * @param lateness of all calls, in milliseconds
 */
record CallStatistics(int expected, int missing, int duplicates, List<Double> rates, Percentiles lateness) {

    static CallStatistics calculate(List<RecordedCall> arrivals, Timetable timetable, long fromRound, long toRound) {
        Set<String> keys = new HashSet<>();
        List<RecordedCall> counted = arrivals.stream()
                .filter(arrival -> timetable.round(arrival) >= fromRound && timetable.round(arrival) <= toRound)
                .toList();
        int twice = (int)
                counted.stream().filter(arrival -> !keys.add(arrival.key())).count();
        int expected = (int) (timetable.count() * (toRound - fromRound + 1));
        List<Double> rates = LongStream.rangeClosed(fromRound, toRound)
                .mapToObj(round -> callsPerSecond(counted, timetable, round))
                .toList();
        Percentiles lateness =
                Percentiles.of(counted.stream().mapToDouble(timetable::lateness).toArray());
        return new CallStatistics(expected, expected - keys.size(), twice, rates, lateness);
    }

    private static double callsPerSecond(List<RecordedCall> arrivals, Timetable timetable, long round) {
        long[] times = arrivals.stream()
                .filter(arrival -> timetable.round(arrival) == round)
                .mapToLong(RecordedCall::epochMicros)
                .toArray();
        long start = RecordedCall.epochMicros(timetable.slot(0, round));
        return times.length / ((Arrays.stream(times).max().orElse(start + 1) - start) / 1e6);
    }

    /** Of the rates. */
    double medianRate() {
        return rates.stream().sorted().toList().get((rates.size() - 1) / 2);
    }

    double minRate() {
        return rates.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    }

    double maxRate() {
        return rates.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** The smallest lateness that so many percent do not exceed; nothing at all is later than any. */
    double latenessAt(double percent) {
        return missing == expected ? Double.POSITIVE_INFINITY : lateness.at(percent);
    }

    boolean isExact() {
        return missing == 0 && duplicates == 0;
    }
}
