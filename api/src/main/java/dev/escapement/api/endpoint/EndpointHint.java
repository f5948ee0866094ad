package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A temporary wish for the schedule of an endpoint.
 *
 * @param interval an interval hint: run this often
 * @param at a one-shot hint: run once at this time
 * @param by who gave it
 * @param state {@code ACTIVE}, {@code ANSWERED} or {@code EXPIRED}; not stored
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EndpointHint(
        @Nullable String interval,
        @Nullable String at,
        @Nullable String givenAt,
        @Nullable String expiresAt,
        @Nullable String by,
        @Nullable String reason,
        @Nullable String state,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public EndpointHint {
        other = Copies.map(other);
    }
}
