package dev.escapement.api.audit;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.escapement.api.ApiRecord;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the audit trail stores of one transition, and what a sink receives.
 *
 * @param id the same for the same transition, so that a receiver can drop repeats
 * @param eventType the name of the transition, such as {@code WorkflowSkipped}
 * @param occurredAt when it happened
 * @param correlationId the remediation request, or the uid of the execution if there is none, or else the target
 * @param actor who requested it; absent if no person or program did, or that is unknown
 * @param execution namespace and name; of a clearance the failed executions that it is about, separated by commas
 * @param executionId the uid of the execution; absent if it is about a target only
 * @param reason as a code
 */
public record AuditRecord(
        @Nullable String id,
        @JsonProperty("event_type") @Nullable String eventType,
        @JsonProperty("occurred_at") @Nullable String occurredAt,
        @JsonProperty("correlation_id") @Nullable String correlationId,
        @Nullable String actor,
        @Nullable String execution,
        @JsonProperty("execution_id") @Nullable String executionId,
        @JsonProperty("remediation_id") @Nullable String remediationId,
        @JsonProperty("workflow_id") @Nullable String workflowId,
        @JsonProperty("target_resource") @Nullable String targetResource,
        @Nullable String reason,
        @JsonProperty("skip_reason") @Nullable String skipReason,
        @JsonProperty("conflicting_workflow") @Nullable String conflictingWorkflow,
        @JsonProperty("recent_remediation") @Nullable String recentRemediation,
        @Nullable String message,
        Map<String, String> details,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    public AuditRecord {
        details = Copies.map(details);
    }
}
