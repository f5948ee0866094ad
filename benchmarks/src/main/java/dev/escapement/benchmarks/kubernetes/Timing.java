package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.standalone.Percentiles;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * When runs were made and let go, by the API server's clock; it is that of the client too, on the same machine.
 *
 * @param perSecond executions admitted, from the first request to the last start
 * @param toRun from the request at the client to the run, in milliseconds
 * @param toStart from the request at the client to the start of the run, in milliseconds
 */
record Timing(double perSecond, Percentiles toRun, Percentiles toStart) {

    private static final double MICROS_PER_MILLI = 1000;
    private static final int FIRST_REFUSAL = 400;

    static Timing of(List<LoadFeed.Asked> asked, List<Call> calls) {
        Map<String, Instant> made = times(calls, "create");
        Map<String, Instant> started = times(calls, "patch");
        Instant first = asked.stream()
                .map(LoadFeed.Asked::at)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        Instant last = started.values().stream().max(Comparator.naturalOrder()).orElseThrow();
        return new Timing(
                asked.size() / (Duration.between(first, last).toMillis() / 1e3),
                latencies(asked, made),
                latencies(asked, started));
    }

    private static Map<String, Instant> times(List<Call> calls, String verb) {
        Map<String, Instant> times = new HashMap<>();
        calls.stream()
                .filter(call ->
                        call.resource().equals("pipelineruns") && call.verb().equals(verb))
                .filter(call -> call.code() < FIRST_REFUSAL)
                .forEach(call -> times.putIfAbsent(call.name(), call.answered()));
        return times;
    }

    private static Percentiles latencies(List<LoadFeed.Asked> asked, Map<String, Instant> times) {
        return Percentiles.of(asked.stream()
                .mapToDouble(each -> Optional.ofNullable(times.get(each.run()))
                        .map(at -> Duration.between(each.at(), at).toNanos() / MICROS_PER_MILLI / MICROS_PER_MILLI)
                        .orElse(Double.POSITIVE_INFINITY))
                .toArray());
    }
}
