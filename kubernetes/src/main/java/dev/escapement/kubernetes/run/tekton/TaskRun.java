package dev.escapement.kubernetes.run.tekton;

import dev.escapement.kubernetes.resource.SparseResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;

/** A Tekton TaskRun. Its spec and status are plain maps, so that no unknown field is lost. */
@Group("tekton.dev")
@Version("v1")
public final class TaskRun extends SparseResource<Map<String, Object>, Map<String, Object>> implements Namespaced {

    /** Keeps what is read from the cache: the conditions. */
    public static TaskRun trim(TaskRun run) {
        TaskRun trimmed = new TaskRun();
        trimmed.setMetadata(run.getMetadata());
        trimmed.setStatus(LenientNode.select(run.getStatus(), "conditions"));
        return trimmed;
    }
}
