package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A time that somebody chose, with name and reason: a pause or a request for a run.
 *
 * @param at when the run was requested
 * @param until when the pause ends
 * @param by who
 * @param reason why
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttributedTime(
        @Nullable String at,
        @Nullable String until,
        @Nullable String by,
        @Nullable String reason,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public AttributedTime {
        other = Copies.map(other);
    }
}
