package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which target a {@link RemediationTarget} is about.
 *
 * @param targetResource the target in canonical form, with the kind in lower case
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RemediationTargetSpec(
        @Nullable String targetResource,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public RemediationTargetSpec {
        other = Copies.map(other);
    }
}
