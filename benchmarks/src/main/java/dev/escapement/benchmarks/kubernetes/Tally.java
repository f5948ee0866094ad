package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.Call.Kind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Requests, counted. */
record Tally(List<Call> calls) {

    /** The last part of the name of a run: a hyphen and ten digits. */
    private static final int RUN_SUFFIX = 11;

    Tally {
        calls = List.copyOf(calls);
    }

    int count(Kind kind) {
        return (int) calls.stream().filter(call -> call.kind() == kind).count();
    }

    /** Of one kind, by what was asked, such as {@code create pipelineruns 20}. */
    String detail(Kind kind) {
        Map<String, Long> counts = calls.stream()
                .filter(call -> call.kind() == kind)
                .collect(Collectors.groupingBy(Call::title, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    /**
     * The most requests of one kind for one target, where every execution has a target of its own.
     *
     * @param targets the object name of the target, by the name of its execution
     */
    long most(Kind kind, Map<String, String> targets) {
        return calls.stream()
                .filter(call -> call.kind() == kind)
                .collect(Collectors.groupingBy(target(targets), Collectors.counting()))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    private static Function<Call, String> target(Map<String, String> targets) {
        return call -> switch (call.resource()) {
            case "workflowexecutions", "workflowexecutions/status" -> targets.getOrDefault(call.name(), "");
            case "pipelineruns" ->
                call.name().substring(0, Math.max(0, call.name().length() - RUN_SUFFIX));
            default -> call.name();
        };
    }
}
