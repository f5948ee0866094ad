package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ApiRecord;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a target, and what is remembered of it.
 *
 * @param state {@code Held}, {@code Blocked}, {@code Exhausted}, {@code BackingOff}, {@code CoolingDown} or
 *     {@code Free}
 * @param until when that state ends by itself
 * @param epoch grows with every acquisition and every clearance
 * @param retry failed starts in a row, of all workflows
 */
public record RemediationTargetStatus(
        @Nullable String state,
        @Nullable String until,
        @Nullable Long epoch,
        @Nullable TargetHolder holder,
        @Nullable RetryState retry,
        List<WorkflowHistory> workflows,
        @Nullable ClearanceRecord clearance,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    public RemediationTargetStatus {
        workflows = Copies.list(workflows);
    }

    /** Returns the same with another state. */
    public RemediationTargetStatus withState(String changed, @Nullable String end) {
        return new RemediationTargetStatus(changed, end, epoch, holder, retry, workflows, clearance, other);
    }

    /**
     * Executions in a row that could not start.
     *
     * @param nextAllowedExecution from when on the target may be tried again; absent if a person must clear it first
     */
    public record RetryState(
            @Nullable Long consecutiveFailures,
            @Nullable String nextAllowedExecution,
            @Nullable PastExecution last,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * What is remembered of one workflow on a target.
     *
     * @param retry failed starts of this workflow in a row
     * @param invalid requests of this workflow in a row that failed validation; they hold back only this workflow
     * @param block the execution that failed halfway and blocks the target
     * @param completed the last success, until its cooldown is over
     */
    public record WorkflowHistory(
            @Nullable String workflowId,
            @Nullable RetryState retry,
            @Nullable RetryState invalid,
            @Nullable PastExecution block,
            @Nullable PastExecution completed,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * The execution that holds a target.
     *
     * @param startedAt since when it has held the target
     * @param pipelineRun the one run that it may start
     * @param targetResource only where the holder explains a skip: the target as the skipped execution wrote it
     */
    public record TargetHolder(
            @Nullable String name,
            @Nullable String namespace,
            @Nullable String uid,
            @Nullable String workflowId,
            @Nullable String startedAt,
            @Nullable Run pipelineRun,
            @Nullable String targetResource,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {

        /**
         * The run of a holder.
         *
         * @param name kind, namespace and name of the run
         */
        public record Run(
                @Nullable String name,
                @Nullable String uid,
                @JsonAnySetter Map<String, Object> other) implements ApiRecord {}
    }

    /**
     * An execution that has ended.
     *
     * @param outcome {@code Completed} or {@code Failed}
     * @param reason why it failed; absent after a success
     * @param executionDeleted true if the execution was deleted before this was recorded
     * @param targetResource only where it explains a skip: the target as the skipped execution wrote it
     * @param cooldownRemaining only where it explains a skip: how long it was still to wait, rounded up to seconds
     */
    public record PastExecution(
            @Nullable String name,
            @Nullable String namespace,
            @Nullable String uid,
            @Nullable String workflowId,
            @Nullable String completedAt,
            @Nullable String outcome,
            @Nullable String reason,
            @Nullable Boolean executionDeleted,
            @Nullable String targetResource,
            @Nullable String cooldownRemaining,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * Who cleared a target, and why.
     *
     * @param clearReason why the target may be tried again
     */
    public record ClearanceRecord(
            @Nullable String clearedBy,
            @Nullable String clearReason,
            @Nullable String clearedAt,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}
}
