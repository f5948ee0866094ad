package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.report.Percentiles;
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
 * @param toRunCreated from the request at the client to the run, in milliseconds
 * @param toRunStarted from the request at the client to the start of the run, in milliseconds
 */
record RunLatencies(double perSecond, Percentiles toRunCreated, Percentiles toRunStarted) {

    private static final double MICROS_PER_MILLI = 1000;
    private static final int FIRST_ERROR_CODE = 400;

    static RunLatencies calculate(List<LoadFeed.CreatedExecution> asked, List<AuditedRequest> calls) {
        Map<String, Instant> made = firstAnswers(calls, "create");
        Map<String, Instant> started = firstAnswers(calls, "patch");
        Instant first = asked.stream()
                .map(LoadFeed.CreatedExecution::createdAt)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        Instant last = started.values().stream().max(Comparator.naturalOrder()).orElseThrow();
        return new RunLatencies(
                asked.size() / (Duration.between(first, last).toMillis() / 1e3),
                latencies(asked, made),
                latencies(asked, started));
    }

    private static Map<String, Instant> firstAnswers(List<AuditedRequest> calls, String verb) {
        Map<String, Instant> times = new HashMap<>();
        calls.stream()
                .filter(call ->
                        call.resource().equals("pipelineruns") && call.verb().equals(verb))
                .filter(call -> call.code() < FIRST_ERROR_CODE)
                .forEach(call -> times.putIfAbsent(call.name(), call.answeredAt()));
        return times;
    }

    private static Percentiles latencies(List<LoadFeed.CreatedExecution> asked, Map<String, Instant> times) {
        return Percentiles.of(asked.stream()
                .mapToDouble(each -> Optional.ofNullable(times.get(each.runName()))
                        .map(at ->
                                Duration.between(each.createdAt(), at).toNanos() / MICROS_PER_MILLI / MICROS_PER_MILLI)
                        .orElse(Double.POSITIVE_INFINITY))
                .toArray());
    }
}
