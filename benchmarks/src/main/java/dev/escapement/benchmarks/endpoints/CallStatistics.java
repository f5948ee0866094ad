package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.report.Percentiles;
import dev.escapement.crashtests.kit.RecordedCall;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Statistics of the recorded calls in some rounds of a timetable.
 *
 * @param expected number of calls
 * @param missing expected calls that did not arrive
 * @param duplicates calls whose key had arrived before
 * @param rates calls per second, by round: from the first slot of the round to its last call
 * @param lateness of all calls, in milliseconds
 */
record CallStatistics(int expected, int missing, int duplicates, List<Double> rates, Percentiles lateness) {

    static CallStatistics calculate(List<RecordedCall> calls, Timetable timetable, long fromRound, long toRound) {
        Set<String> keys = new HashSet<>();
        List<RecordedCall> counted = calls.stream()
                .filter(call -> timetable.round(call) >= fromRound && timetable.round(call) <= toRound)
                .toList();
        int duplicates =
                (int) counted.stream().filter(call -> !keys.add(call.key())).count();
        int expected = (int) (timetable.count() * (toRound - fromRound + 1));
        List<Double> rates = LongStream.rangeClosed(fromRound, toRound)
                .mapToObj(round -> callsPerSecond(counted, timetable, round))
                .toList();
        Percentiles lateness =
                Percentiles.of(counted.stream().mapToDouble(timetable::lateness).toArray());
        return new CallStatistics(expected, expected - keys.size(), duplicates, rates, lateness);
    }

    private static double callsPerSecond(List<RecordedCall> calls, Timetable timetable, long round) {
        long[] times = calls.stream()
                .filter(call -> timetable.round(call) == round)
                .mapToLong(RecordedCall::epochMicros)
                .toArray();
        long start = RecordedCall.epochMicros(timetable.slot(0, round));
        return times.length / ((Arrays.stream(times).max().orElse(start + 1) - start) / 1e6);
    }

    double medianRate() {
        return rates.stream().sorted().toList().get((rates.size() - 1) / 2);
    }

    double minRate() {
        return rates.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    }

    double maxRate() {
        return rates.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** Returns the percentile of the lateness in milliseconds; infinity if no call arrived. */
    double latenessAt(double percent) {
        return missing == expected ? Double.POSITIVE_INFINITY : lateness.at(percent);
    }

    boolean isExact() {
        return missing == 0 && duplicates == 0;
    }
}
