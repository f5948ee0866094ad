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
 * Latencies until runs are created and started, by the clock of the API server, which is on the machine of the client.
 *
 * @param perSecond executions admitted, from the first request to the last start
 * @param toRunCreated from the request at the client to the run, in milliseconds
 * @param toRunStarted from the request at the client to the start of the run, in milliseconds
 */
record RunLatencies(double perSecond, Percentiles toRunCreated, Percentiles toRunStarted) {

    private static final double MICROS_PER_MILLI = 1000;
    private static final int FIRST_ERROR_CODE = 400;

    static RunLatencies calculate(List<LoadFeed.CreatedExecution> executions, List<AuditedRequest> calls) {
        Map<String, Instant> created = firstResponses(calls, "create");
        Map<String, Instant> started = firstResponses(calls, "patch");
        Instant first = executions.stream()
                .map(LoadFeed.CreatedExecution::createdAt)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        Instant last = started.values().stream().max(Comparator.naturalOrder()).orElseThrow();
        return new RunLatencies(
                executions.size() / (Duration.between(first, last).toMillis() / 1e3),
                latencies(executions, created),
                latencies(executions, started));
    }

    private static Map<String, Instant> firstResponses(List<AuditedRequest> calls, String verb) {
        Map<String, Instant> times = new HashMap<>();
        calls.stream()
                .filter(call ->
                        call.resource().equals("pipelineruns") && call.verb().equals(verb))
                .filter(call -> call.code() < FIRST_ERROR_CODE)
                .forEach(call -> times.putIfAbsent(call.name(), call.answeredAt()));
        return times;
    }

    private static Percentiles latencies(List<LoadFeed.CreatedExecution> executions, Map<String, Instant> times) {
        return Percentiles.of(executions.stream()
                .mapToDouble(each -> Optional.ofNullable(times.get(each.runName()))
                        .map(at ->
                                Duration.between(each.createdAt(), at).toNanos() / MICROS_PER_MILLI / MICROS_PER_MILLI)
                        .orElse(Double.POSITIVE_INFINITY))
                .toArray());
    }
}
