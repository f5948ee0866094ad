package dev.escapement.api.event;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which execution an event is about.
 *
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExecutionReference(
        @Nullable String namespace,
        @Nullable String name,
        @Nullable String uid,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public ExecutionReference {
        other = Copies.map(other);
    }
}
