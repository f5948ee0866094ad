package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why an execution failed, and whether anything may have been changed.
 *
 * @param reason a code such as {@code TaskFailed}
 * @param failedTaskIndex from 0
 * @param executionTimeBeforeFailure a duration such as {@code 1m48s}
 * @param naturalLanguageSummary a paragraph for a person or a language model
 * @param wasExecutionFailure false only if it is certain that no step started
 * @param requiresManualReview whether a person has to look at the target first
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FailureDetails(
        @Nullable String reason,
        @Nullable String message,
        @Nullable String failedAt,
        @Nullable String failedTaskName,
        @Nullable Integer failedTaskIndex,
        @Nullable String failedStepName,
        @Nullable Integer exitCode,
        @Nullable String executionTimeBeforeFailure,
        @Nullable String naturalLanguageSummary,
        @Nullable Boolean wasExecutionFailure,
        @Nullable Boolean requiresManualReview,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public FailureDetails {
        other = Copies.map(other);
    }
}
