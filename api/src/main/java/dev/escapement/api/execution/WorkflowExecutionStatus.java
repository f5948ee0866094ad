package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.api.ClearanceRecord;
import dev.escapement.api.Condition;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of a {@link WorkflowExecution}. Only the server writes it. Times are RFC 3339 in UTC, enums are strings,
 * so that a value of a newer version can still be read.
 *
 * @param phase {@code Pending}, {@code Running}, {@code Completed}, {@code Failed} or {@code Skipped}
 * @param observedGeneration the generation of the spec that this status is about
 * @param outcome {@code Success}, {@code Failed} or {@code Skipped}; present when the phase is terminal
 * @param startTime when it acquired its target
 * @param completionTime when it reached a terminal phase
 * @param duration from startTime to completionTime, such as {@code 1m48s}
 * @param pipelineRunRef its run
 * @param pipelineRunStatus the progress of its run
 * @param failureDetails why it failed
 * @param skipDetails why it was skipped
 * @param consecutiveFailures failed starts in a row on the target, this one included; present only after a failed start
 * @param nextAllowedExecution from when on the target may be tried again after this failed start
 * @param blockClearance who cleared the target of what this execution caused
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record WorkflowExecutionStatus(
        @Nullable String phase,
        @Nullable Long observedGeneration,
        @Nullable String outcome,
        @Nullable String startTime,
        @Nullable String completionTime,
        @Nullable String duration,
        @Nullable PipelineRunReference pipelineRunRef,
        @Nullable PipelineRunStatus pipelineRunStatus,
        @Nullable FailureDetails failureDetails,
        @Nullable SkipDetails skipDetails,
        @Nullable Integer consecutiveFailures,
        @Nullable String nextAllowedExecution,
        @Nullable ClearanceRecord blockClearance,
        List<Condition> conditions,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public WorkflowExecutionStatus {
        conditions = Copies.list(conditions);
        other = Copies.map(other);
    }
}
