package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ApiRecord;
import dev.escapement.api.target.RemediationTargetStatus.ClearanceRecord;
import dev.escapement.api.target.RemediationTargetStatus.PastExecution;
import dev.escapement.api.target.RemediationTargetStatus.TargetHolder;
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
 * @param pendingDetails why it was not decided at once; present only while the phase is {@code Pending}
 * @param consecutiveFailures failed starts in a row on the target, this one included; present only after a failed start
 * @param nextAllowedExecution from when on the target may be tried again after this failed start
 * @param blockClearance who cleared the target of what this execution caused
 */
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
        @Nullable PendingDetails pendingDetails,
        @Nullable Long consecutiveFailures,
        @Nullable String nextAllowedExecution,
        @Nullable ClearanceRecord blockClearance,
        List<Condition> conditions,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    public WorkflowExecutionStatus {
        conditions = Copies.list(conditions);
    }

    /**
     * The run of an execution.
     *
     * @param kind such as {@code PipelineRun} or {@code Job}
     * @param epoch the epoch of the target's ledger entry when the run was committed
     */
    public record PipelineRunReference(
            @Nullable String kind,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String uid,
            @Nullable Long epoch,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * The progress of a run.
     *
     * @param status {@code Running}, {@code Succeeded} or {@code Failed}
     * @param reason the executor's own reason for the end of a failed run
     * @param totalTasks 0 while it is not known
     */
    public record PipelineRunStatus(
            @Nullable String status,
            @Nullable String reason,
            @Nullable String message,
            @Nullable Long completedTasks,
            @Nullable Long totalTasks,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * Why an execution failed, and whether anything may have been changed.
     *
     * @param reason a code such as {@code TaskFailed}
     * @param failedTaskIndex from 0
     * @param executionTimeBeforeFailure a duration such as {@code 1m48s}
     * @param naturalLanguageSummary a paragraph for a person or a language model
     * @param wasExecutionFailure false only if it is certain that no step started
     * @param requiresManualReview whether a person has to look at the target first
     */
    public record FailureDetails(
            @Nullable String reason,
            @Nullable String message,
            @Nullable String failedAt,
            @Nullable String failedTaskName,
            @Nullable Long failedTaskIndex,
            @Nullable String failedStepName,
            @Nullable Long exitCode,
            @Nullable String executionTimeBeforeFailure,
            @Nullable String naturalLanguageSummary,
            @Nullable Boolean wasExecutionFailure,
            @Nullable Boolean requiresManualReview,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * Why an execution was skipped.
     *
     * @param reason a code such as {@code ResourceBusy}
     * @param nextAllowedExecution from when on it would have been admitted, if time alone is in the way
     * @param conflictingWorkflow the execution that held the target
     * @param recentRemediation the execution that had ended before
     */
    public record SkipDetails(
            @Nullable String reason,
            @Nullable String message,
            @Nullable String skippedAt,
            @Nullable String nextAllowedExecution,
            @Nullable TargetHolder conflictingWorkflow,
            @Nullable PastExecution recentRemediation,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * Why an execution is still pending.
     *
     * @param reason a code such as {@code Waiting}
     * @param since when this reason began
     * @param until when the delay ends at the latest, if that is known
     */
    public record PendingDetails(
            @Nullable String reason,
            @Nullable String message,
            @Nullable String since,
            @Nullable String until,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * One aspect of a status, for {@code kubectl wait}.
     *
     * @param type {@code Succeeded}, {@code Finished}, or {@code Pending} while it is delayed
     * @param status {@code True}, {@code False} or {@code Unknown}
     * @param reason the reason of a failure, a skip or a delay, else the phase
     * @param message the message of a failure, a skip or a delay
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
}
