package dev.escapement.api;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a resource, with the field names of Kubernetes.
 *
 * @param name unique in its namespace
 * @param generateName the beginning of the name if {@code name} is absent; the server adds a unique end
 * @param namespace absent for cluster-scoped resources
 * @param uid given by the server; tells the resource apart from a later one of the same name
 * @param creationTimestamp a time such as {@code 2026-11-15T12:00:00Z}
 * @param resourceVersion the version for conditional writes
 * @param ownerReferences the resources with which this one is removed
 * @param finalizers what has to be done before the resource is removed
 */
public record ObjectMetadata(
        @Nullable String name,
        @Nullable String generateName,
        @Nullable String namespace,
        @Nullable String uid,
        @Nullable String creationTimestamp,
        @Nullable Long generation,
        @Nullable String resourceVersion,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<OwnerReference> ownerReferences,
        List<String> finalizers,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    public ObjectMetadata {
        labels = Copies.map(labels);
        annotations = Copies.map(annotations);
        ownerReferences = Copies.list(ownerReferences);
        finalizers = Copies.list(finalizers);
    }

    /**
     * Returns metadata with a name and a version only, such as that of a cluster-scoped resource.
     *
     * @param version empty for none
     */
    public static ObjectMetadata named(String name, String version) {
        return new ObjectMetadata(
                name, null, null, null, null, null, version, Map.of(), Map.of(), List.of(), List.of(), Map.of());
    }

    /**
     * A resource that owns another one.
     *
     * @param controller whether the owner is the managing controller
     * @param blockOwnerDeletion whether the owner waits for the removal of this resource
     */
    public record OwnerReference(
            @Nullable String apiVersion,
            @Nullable String kind,
            @Nullable String name,
            @Nullable String uid,
            @Nullable Boolean controller,
            @Nullable Boolean blockOwnerDeletion,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}
}
