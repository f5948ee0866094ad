package dev.escapement.engine.execution;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of an execution besides what it asks for. The engine never looks at labels and annotations; they belong
 * to whoever attached them.
 *
 * @param createdAt when it was asked for
 * @param labels by key
 * @param annotations by key
 */
public record ExecutionMetadata(
        Instant createdAt, SortedMap<String, String> labels, SortedMap<String, String> annotations) {

    /** Copies the maps. */
    public ExecutionMetadata {
        requireNonNull(createdAt, "createdAt is null");
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }

    /** Nothing attached. */
    public static ExecutionMetadata of(Instant createdAt) {
        return new ExecutionMetadata(createdAt, new TreeMap<>(Map.of()), new TreeMap<>(Map.of()));
    }
}
