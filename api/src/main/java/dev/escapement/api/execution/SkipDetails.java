package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.api.target.PastExecution;
import dev.escapement.api.target.TargetHolder;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why an execution was skipped.
 *
 * @param reason a code such as {@code ResourceBusy}
 * @param nextAllowedExecution from when on it would have been admitted, if time alone is in the way
 * @param conflictingWorkflow the execution that held the target
 * @param recentRemediation the execution that had ended before
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record SkipDetails(
        @Nullable String reason,
        @Nullable String message,
        @Nullable String skippedAt,
        @Nullable String nextAllowedExecution,
        @Nullable TargetHolder conflictingWorkflow,
        @Nullable PastExecution recentRemediation,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public SkipDetails {
        other = Copies.map(other);
    }
}
