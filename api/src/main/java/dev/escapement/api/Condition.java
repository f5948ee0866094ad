package dev.escapement.api;

import com.fasterxml.jackson.annotation.JsonAnySetter;
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
 */
public record Condition(
        @Nullable String type,
        @Nullable String status,
        @Nullable String reason,
        @Nullable String message,
        @Nullable String lastTransitionTime,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {}
