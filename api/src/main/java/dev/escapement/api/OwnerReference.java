package dev.escapement.api;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
