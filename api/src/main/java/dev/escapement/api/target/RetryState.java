package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Executions in a row that could not start.
 *
 * @param nextAllowedExecution from when on the target may be tried again
 * @param last the last of them
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RetryState(
        @Nullable Integer consecutiveFailures,
        @Nullable String nextAllowedExecution,
        @Nullable PastExecution last,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public RetryState {
        other = Copies.map(other);
    }
}
