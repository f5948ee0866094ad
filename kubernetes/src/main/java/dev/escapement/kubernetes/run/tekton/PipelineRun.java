package dev.escapement.kubernetes.run.tekton;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;

/** A Tekton PipelineRun. Its spec and status are plain maps, so that no unknown field is lost. */
@Group("tekton.dev")
@Version("v1")
@Plural("pipelineruns")
@Singular("pipelinerun")
@JsonIgnoreProperties(ignoreUnknown = true)
public final class PipelineRun extends CustomResource<Map<String, Object>, Map<String, Object>> implements Namespaced {

    /** Absent, not empty, until it is set. */
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
