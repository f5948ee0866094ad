package dev.escapement.engine.execution;

import dev.escapement.api.OwnerReference;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The metadata of an execution. The engine ignores labels and annotations; owner references and finalizers are kept as
 * they were given.
 */
public record ExecutionMetadata(
        Instant createdAt,
        SortedMap<String, String> labels,
        SortedMap<String, String> annotations,
        List<OwnerReference> ownerReferences,
        List<String> finalizers) {

    public ExecutionMetadata {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        ownerReferences = List.copyOf(ownerReferences);
        finalizers = List.copyOf(finalizers);
    }

    public ExecutionMetadata(
            Instant createdAt, SortedMap<String, String> labels, SortedMap<String, String> annotations) {
        this(createdAt, labels, annotations, List.of(), List.of());
    }

    public static ExecutionMetadata of(Instant createdAt) {
        return new ExecutionMetadata(createdAt, new TreeMap<>(Map.of()), new TreeMap<>(Map.of()));
    }
}
