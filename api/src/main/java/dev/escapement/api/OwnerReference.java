package dev.escapement.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A resource that owns another one.
 *
 * @param controller whether the owner is the managing controller
 * @param blockOwnerDeletion whether the owner waits for the removal of this resource
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record OwnerReference(
        @Nullable String apiVersion,
        @Nullable String kind,
        @Nullable String name,
        @Nullable String uid,
        @Nullable Boolean controller,
        @Nullable Boolean blockOwnerDeletion,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public OwnerReference {
        other = Copies.map(other);
    }
}
