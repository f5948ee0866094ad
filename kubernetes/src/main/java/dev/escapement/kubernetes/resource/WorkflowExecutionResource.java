package dev.escapement.kubernetes.resource;

import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * An execution as the API server has it. The records keep unknown fields and hold enum values as text: one resource of
 * a newer version must not stop the watch of all others. {@link ExecutionCodec} reads it.
 */
@Group("kubernaut.ai")
@Version("v1alpha1")
@Kind("WorkflowExecution")
public final class WorkflowExecutionResource extends SparseResource<WorkflowExecutionSpec, WorkflowExecutionStatus>
        implements Namespaced {}
