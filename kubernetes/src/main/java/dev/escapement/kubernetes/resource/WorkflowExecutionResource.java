package dev.escapement.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * An execution as the API server has it. The records keep unknown fields and hold enum values as text: one resource of
 * a newer version must not stop the watch of all others. {@link ExecutionCodec} reads it.
 */
@Group("kubernaut.ai")
@Version("v1alpha1")
@Kind("WorkflowExecution")
@Plural("workflowexecutions")
@Singular("workflowexecution")
@ShortNames("wfe")
@JsonIgnoreProperties(ignoreUnknown = true)
public final class WorkflowExecutionResource extends CustomResource<WorkflowExecutionSpec, WorkflowExecutionStatus>
        implements Namespaced {

    /** What was never written is absent, not empty. */
    @Override
    @SuppressWarnings("NullAway")
    protected WorkflowExecutionSpec initSpec() {
        return null;
    }

    @Override
    @SuppressWarnings("NullAway")
    protected WorkflowExecutionStatus initStatus() {
        return null;
    }
}
