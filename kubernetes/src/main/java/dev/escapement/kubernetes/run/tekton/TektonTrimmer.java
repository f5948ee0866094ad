package dev.escapement.kubernetes.run.tekton;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reduces Tekton objects to what is read from the cache. The rest is large: parameters, whole pipelines and tasks, and
 * their provenance.
 */
public final class TektonTrimmer {

    private TektonTrimmer() {}

    /** Keeps the requested and the actual state and the names of the tasks. */
    public static PipelineRun trimPipelineRun(PipelineRun run) {
        PipelineRun trimmed = new PipelineRun();
        trimmed.setMetadata(run.getMetadata());
        trimmed.setSpec(select(run.getSpec(), "status"));
        Map<String, Object> status =
                select(run.getStatus(), "conditions", "startTime", "completionTime", "childReferences", "skippedTasks");
        LenientNode pipeline = new LenientNode(run.getStatus()).at("pipelineSpec");
        if (pipeline.has()) {
            status.put(
                    "pipelineSpec", Map.of("tasks", names(pipeline, "tasks"), "finally", names(pipeline, "finally")));
        }
        trimmed.setStatus(status);
        return trimmed;
    }

    /** Keeps the conditions. */
    public static TaskRun trimTaskRun(TaskRun run) {
        TaskRun trimmed = new TaskRun();
        trimmed.setMetadata(run.getMetadata());
        trimmed.setStatus(select(run.getStatus(), "conditions"));
        return trimmed;
    }

    private static Map<String, Object> select(@Nullable Map<String, Object> whole, String... keys) {
        Map<String, Object> parts = new HashMap<>(whole == null ? Map.of() : whole);
        parts.keySet().retainAll(List.of(keys));
        return parts;
    }

    private static List<Map<String, String>> names(LenientNode pipeline, String part) {
        return pipeline.items(part).stream()
                .map(task -> Map.of("name", task.text("name")))
                .toList();
    }
}
