package dev.escapement.engine.sim;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

final class SimulatedExecutionQueries implements ExecutionQueries {

    private final SimulatedStore store;

    SimulatedExecutionQueries(SimulatedStore store) {
        this.store = store;
    }

    private Stream<Versioned<Execution>> allExecutions() {
        return List.copyOf(store.executions.keySet()).stream().flatMap(ref -> store.latestExecution(ref).stream());
    }

    @Override
    public Optional<Versioned<Execution>> findExecution(String namespace, String name) {
        Fiber.pause();
        return allExecutions()
                .filter(seen -> seen.value().ref().namespace().equals(namespace)
                        && seen.value().ref().name().equals(name))
                .findFirst();
    }

    @Override
    public Page<Versioned<Execution>> listExecutions(ExecutionFilter filter, String token, int limit) {
        List<Versioned<Execution>> sorted = allExecutions()
                .filter(seen -> matches(filter, seen.value()))
                .sorted(Comparator.<Versioned<Execution>, String>comparing(SimulatedExecutionQueries::sortKey)
                        .reversed())
                .toList();
        return page(sorted, SimulatedExecutionQueries::sortKey, token, limit, Comparator.reverseOrder());
    }

    /** By age, then by uid. */
    private static String sortKey(Versioned<Execution> seen) {
        return "%020d!%s"
                .formatted(
                        seen.value().createdAt().toEpochMilli(),
                        seen.value().ref().uid());
    }

    private static boolean matches(ExecutionFilter filter, Execution execution) {
        String text = execution.spec().targetResource();
        String target = Target.tryParse(text).map(Target::canonical).orElse(text);
        return matchesValue(filter.namespace(), execution.ref().namespace())
                && matchesValue(filter.phase(), execution.status().phase())
                && matchesValue(filter.workflow(), execution.workflowId())
                && matchesValue(filter.target(), target);
    }

    private static boolean matchesValue(Optional<String> wanted, String value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }

    @Override
    public Page<Versioned<LedgerEntry>> listEntries(EntryFilter filter, String token, int limit) {
        List<Versioned<LedgerEntry>> sorted = store.storedEntries().stream()
                .filter(seen -> matches(filter, seen.value()))
                .sorted(Comparator.comparing(SimulatedExecutionQueries::targetKey))
                .toList();
        return page(sorted, SimulatedExecutionQueries::targetKey, token, limit, Comparator.naturalOrder());
    }

    private static String targetKey(Versioned<LedgerEntry> seen) {
        return seen.value().target().canonical();
    }

    private static boolean matches(EntryFilter filter, LedgerEntry entry) {
        return switch (filter) {
            case ALL -> true;
            case HELD -> entry instanceof LedgerEntry.Held;
            case FAILING -> entry.memory().hasFailures();
        };
    }

    @Override
    public Optional<Versioned<LedgerEntry>> findEntry(String objectName) {
        return store.storedEntries().stream()
                .filter(seen -> seen.value().target().objectName().equals(objectName))
                .findFirst();
    }

    private static <T> Page<T> page(
            List<T> sorted, Function<T, String> key, String token, int limit, Comparator<String> order) {
        if (token.contains(" ")) {
            throw new IllegalArgumentException("\"" + token + "\" is not a token of this list");
        }
        List<T> rest = sorted.stream()
                .filter(item -> token.isEmpty() || order.compare(key.apply(item), token) > 0)
                .toList();
        List<T> items = rest.subList(0, Math.min(limit, rest.size()));
        boolean more = rest.size() > items.size();
        return new Page<>(items, more ? Optional.of(key.apply(items.get(items.size() - 1))) : Optional.empty());
    }
}
