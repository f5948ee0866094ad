package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.standalone.Percentiles;
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
 * @param twice calls that came once more than they should
 * @param rates calls per second, by round: from the first slot of the round to its last call
 * @param lateness of all calls, in milliseconds
 */
record Figures(int expected, int missing, int twice, List<Double> rates, Percentiles lateness) {

    static Figures of(List<Arrival> arrivals, Timetable timetable, long fromRound, long toRound) {
        Set<String> keys = new HashSet<>();
        List<Arrival> counted = arrivals.stream()
                .filter(arrival -> timetable.round(arrival) >= fromRound && timetable.round(arrival) <= toRound)
                .toList();
        int twice = (int)
                counted.stream().filter(arrival -> !keys.add(arrival.key())).count();
        int expected = (int) (timetable.count() * (toRound - fromRound + 1));
        List<Double> rates = LongStream.rangeClosed(fromRound, toRound)
                .mapToObj(round -> rate(counted, timetable, round))
                .toList();
        Percentiles lateness =
                Percentiles.of(counted.stream().mapToDouble(timetable::lateness).toArray());
        return new Figures(expected, expected - keys.size(), twice, rates, lateness);
    }

    private static double rate(List<Arrival> arrivals, Timetable timetable, long round) {
        long[] times = arrivals.stream()
                .filter(arrival -> timetable.round(arrival) == round)
                .mapToLong(Arrival::micros)
                .toArray();
        long start = Arrival.micros(timetable.slot(0, round));
        return times.length / ((Arrays.stream(times).max().orElse(start + 1) - start) / 1e6);
    }

    /** Of the rates. */
    double median() {
        return rates.stream().sorted().toList().get((rates.size() - 1) / 2);
    }

    double slowest() {
        return rates.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    }

    double fastest() {
        return rates.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** The smallest lateness that so many percent do not exceed; nothing at all is later than any. */
    double late(double percent) {
        return missing == expected ? Double.POSITIVE_INFINITY : lateness.at(percent);
    }

    boolean isExact() {
        return missing == 0 && twice == 0;
    }
}
