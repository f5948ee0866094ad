package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link WorkflowExecution} requests.
 *
 * @param remediationRequestRef the remediation request it belongs to
 * @param workflowRef the workflow to run
 * @param targetResource what the workflow acts on: {@code namespace/kind/name} or {@code kind/name}
 * @param parameters the parameters of the workflow by name
 * @param confidence how sure the requester is, from 0 to 1
 * @param rationale why this workflow was chosen
 * @param executionConfig how to run the workflow
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record WorkflowExecutionSpec(
        @Nullable RemediationRequestReference remediationRequestRef,
        @Nullable WorkflowReference workflowRef,
        @Nullable String targetResource,
        Map<String, String> parameters,
        @Nullable Double confidence,
        @Nullable String rationale,
        @Nullable ExecutionSettings executionConfig,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public WorkflowExecutionSpec {
        parameters = Copies.map(parameters);
        other = Copies.map(other);
    }
}
