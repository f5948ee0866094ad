package dev.escapement.testkit.cluster;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;

/** The resource {@code WorkflowExecution} as maps, for tests that write values that production code never writes. */
@Group("kubernaut.ai")
@Version("v1alpha1")
@Kind("WorkflowExecution")
@Plural("workflowexecutions")
@Singular("workflowexecution")
@JsonIgnoreProperties(ignoreUnknown = true)
public final class UntypedExecution extends CustomResource<Map<String, Object>, Map<String, Object>>
        implements Namespaced {

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
