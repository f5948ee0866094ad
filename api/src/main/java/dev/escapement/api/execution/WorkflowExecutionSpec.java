package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ApiRecord;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link WorkflowExecution} requests.
 *
 * @param targetResource what the workflow acts on: {@code namespace/kind/name} or {@code kind/name}
 * @param confidence how sure the requester is, from 0 to 1
 * @param rationale why this workflow was chosen
 * @param onConflict {@code Skip} or {@code Wait}: what to do if the gate does not admit it now; absent to skip
 * @param waitFor how long it may wait, such as {@code 10m}; only with {@code Wait}
 */
public record WorkflowExecutionSpec(
        @Nullable RemediationRequestReference remediationRequestRef,
        @Nullable WorkflowReference workflowRef,
        @Nullable String targetResource,
        Map<String, String> parameters,
        @Nullable Double confidence,
        @Nullable String rationale,
        @Nullable ExecutionSettings executionConfig,
        @Nullable String onConflict,
        @Nullable String waitFor,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    public WorkflowExecutionSpec {
        parameters = Copies.map(parameters);
    }

    public WorkflowExecutionSpec withoutParameters() {
        return new WorkflowExecutionSpec(
                remediationRequestRef,
                workflowRef,
                targetResource,
                Map.of(),
                confidence,
                rationale,
                executionConfig,
                onConflict,
                waitFor,
                other);
    }

    /**
     * The workflow to run.
     *
     * @param containerImage the Tekton bundle, or the image of the Job
     * @param containerDigest pins the image, such as {@code sha256:…}
     */
    public record WorkflowReference(
            @Nullable String workflowId,
            @Nullable String version,
            @Nullable String containerImage,
            @Nullable String containerDigest,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * How to run a workflow: the field {@code executionConfig}. Everything has a default.
     *
     * @param timeout a duration such as {@code 5m} or {@code PT5M}
     * @param engine {@code tekton} or {@code job}; absent for the default
     */
    public record ExecutionSettings(
            @Nullable String timeout,
            @Nullable String serviceAccountName,
            @Nullable String engine,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}

    /**
     * The remediation request that an execution belongs to. It is kept for correlation and not looked up.
     *
     * @param namespace absent for the namespace of the execution
     */
    public record RemediationRequestReference(
            @Nullable String name,
            @Nullable String namespace,
            @Nullable String apiVersion,
            @Nullable String kind,
            @Nullable String uid,
            @JsonAnySetter Map<String, Object> other)
            implements ApiRecord {}
}
