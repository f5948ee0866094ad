package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ApiGroup;
import dev.escapement.api.ApiRecord;
import dev.escapement.api.ObjectMetadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code WorkflowExecution}: a request to run a workflow on a target, and what became of it.
 *
 * @param apiVersion {@code kubernaut.ai/v1alpha1}
 * @param kind {@code WorkflowExecution}
 * @param spec what was requested; never changes
 * @param status what became of it; written by the server only
 */
public record WorkflowExecution(
        @Nullable String apiVersion,
        @Nullable String kind,
        @Nullable ObjectMetadata metadata,
        @Nullable WorkflowExecutionSpec spec,
        @Nullable WorkflowExecutionStatus status,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    /** The value of the field {@code kind}. */
    public static final String KIND = "WorkflowExecution";

    /** Returns a document of this version's {@code apiVersion} and {@code kind}. */
    public static WorkflowExecution of(
            ObjectMetadata metadata, WorkflowExecutionSpec spec, @Nullable WorkflowExecutionStatus status) {
        return new WorkflowExecution(ApiGroup.API_VERSION, KIND, metadata, spec, status, Map.of());
    }
}
