package dev.escapement.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;

/**
 * An execution as the API server has it. Its parts are plain maps: a field or a value that this version does not know
 * must neither be lost nor stop the watch of all others. {@link ExecutionCodec} reads them.
 */
@Group("kubernaut.ai")
@Version("v1alpha1")
@Kind("WorkflowExecution")
@Plural("workflowexecutions")
@Singular("workflowexecution")
@ShortNames("wfe")
@JsonIgnoreProperties(ignoreUnknown = true)
public final class WorkflowExecutionResource extends CustomResource<Map<String, Object>, Map<String, Object>>
        implements Namespaced {

    /** What was never written is absent, not empty. */
    @Override
    @SuppressWarnings("NullAway")
    protected Map<String, Object> initSpec() {
        return null;
    }

    @Override
    @SuppressWarnings("NullAway")
    protected Map<String, Object> initStatus() {
        return null;
    }
}
