package dev.escapement.engine.execution;

import dev.escapement.api.ObjectMetadata.OwnerReference;
import dev.escapement.common.Copies;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The metadata of an execution. The engine ignores labels and annotations; owner references and finalizers are kept as
 * they were given.
 *
 * @param generateName as given; the name was made from it only if the request had none
 * @param unknownFields kept too, so that a document of a newer version survives an update
 */
public record ExecutionMetadata(
        Instant createdAt,
        Optional<String> generateName,
        SortedMap<String, String> labels,
        SortedMap<String, String> annotations,
        List<OwnerReference> ownerReferences,
        List<String> finalizers,
        UnknownFields unknownFields) {

    /** The fields of the spec and of the status that this version does not know, as they were read. */
    public record UnknownFields(Map<String, Object> spec, Map<String, Object> status) {

        public static final UnknownFields NONE = new UnknownFields(Map.of(), Map.of());

        public UnknownFields {
            spec = Copies.map(spec);
            status = Copies.map(status);
        }
    }

    public ExecutionMetadata {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        ownerReferences = List.copyOf(ownerReferences);
        finalizers = List.copyOf(finalizers);
    }

    public static ExecutionMetadata of(Instant createdAt) {
        SortedMap<String, String> none = new TreeMap<>();
        return new ExecutionMetadata(createdAt, Optional.empty(), none, none, List.of(), List.of(), UnknownFields.NONE);
    }

    /** Returns the metadata with this annotation; replaces its value if there is one. */
    public ExecutionMetadata withAnnotation(String key, String value) {
        SortedMap<String, String> more = new TreeMap<>(annotations);
        more.put(key, value);
        return new ExecutionMetadata(createdAt, generateName, labels, more, ownerReferences, finalizers, unknownFields);
    }
}
