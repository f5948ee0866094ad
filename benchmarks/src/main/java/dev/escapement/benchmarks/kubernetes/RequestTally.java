package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.AuditedRequest.Kind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts requests. */
record RequestTally(List<AuditedRequest> requests) {

    /** Length of the last part of the name of a run: a hyphen and ten digits. */
    private static final int RUN_SUFFIX = 11;

    RequestTally {
        requests = List.copyOf(requests);
    }

    int count(Kind kind) {
        return (int) requests.stream().filter(call -> call.kind() == kind).count();
    }

    /** Formats the counts of one kind by verb and resource, such as {@code create pipelineruns 20}. */
    String formatByTitle(Kind kind) {
        Map<String, Long> counts = requests.stream()
                .filter(call -> call.kind() == kind)
                .collect(Collectors.groupingBy(AuditedRequest::title, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    /**
     * Returns the maximum number of requests of one kind for one target, if every execution has a target of its own.
     *
     * @param targets the object name of each target, by the name of its execution
     */
    long maxPerTarget(Kind kind, Map<String, String> targets) {
        return requests.stream()
                .filter(call -> call.kind() == kind)
                .collect(Collectors.groupingBy(targetOf(targets), Collectors.counting()))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    private static Function<AuditedRequest, String> targetOf(Map<String, String> targets) {
        return call -> switch (call.resource()) {
            case "workflowexecutions", "workflowexecutions/status" -> targets.getOrDefault(call.name(), "");
            case "pipelineruns" ->
                call.name().substring(0, Math.max(0, call.name().length() - RUN_SUFFIX));
            default -> call.name();
        };
    }
}
