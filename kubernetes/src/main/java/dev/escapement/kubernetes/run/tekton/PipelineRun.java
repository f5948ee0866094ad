package dev.escapement.kubernetes.run.tekton;

import dev.escapement.kubernetes.resource.SparseResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;

/** A Tekton PipelineRun. Its spec and status are plain maps, so that no unknown field is lost. */
@Group("tekton.dev")
@Version("v1")
public final class PipelineRun extends SparseResource<Map<String, Object>, Map<String, Object>> implements Namespaced {

    /**
     * Keeps what is read from the cache: the requested and the actual state, the timeouts and the names of the tasks.
     */
    public static PipelineRun trim(PipelineRun run) {
        PipelineRun trimmed = new PipelineRun();
        trimmed.setMetadata(run.getMetadata());
        trimmed.setSpec(LenientNode.select(run.getSpec(), "status", "timeouts"));
        Map<String, Object> status = LenientNode.select(
                run.getStatus(), "conditions", "startTime", "completionTime", "childReferences", "skippedTasks");
        LenientNode pipeline = new LenientNode(run.getStatus()).at("pipelineSpec");
        if (pipeline.has()) {
            status.put(
                    "pipelineSpec", Map.of("tasks", names(pipeline, "tasks"), "finally", names(pipeline, "finally")));
        }
        trimmed.setStatus(status);
        return trimmed;
    }

    private static List<Map<String, String>> names(LenientNode pipeline, String part) {
        return pipeline.items(part).stream()
                .map(task -> Map.of("name", task.text("name")))
                .toList();
    }
}
