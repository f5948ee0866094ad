package dev.escapement.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One aspect of a status, for {@code kubectl wait}.
 *
 * @param type {@code Succeeded} or {@code Finished}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason the reason of a failure or a skip, else the phase
 * @param message the message of a failure or a skip
 * @param lastTransitionTime since when the condition has had this status
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Condition(
        @Nullable String type,
        @Nullable String status,
        @Nullable String reason,
        @Nullable String message,
        @Nullable String lastTransitionTime,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public Condition {
        other = Copies.map(other);
    }
}
