package dev.escapement.engine.execution;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The metadata of an execution. The engine ignores labels and annotations. */
public record ExecutionMetadata(
        Instant createdAt, SortedMap<String, String> labels, SortedMap<String, String> annotations) {

    /** Copies the maps. */
    public ExecutionMetadata {
        requireNonNull(createdAt, "createdAt is null");
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }

    public static ExecutionMetadata of(Instant createdAt) {
        return new ExecutionMetadata(createdAt, new TreeMap<>(Map.of()), new TreeMap<>(Map.of()));
    }
}
