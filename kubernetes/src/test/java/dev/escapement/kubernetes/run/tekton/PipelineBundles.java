package dev.escapement.kubernetes.run.tekton;

import dev.escapement.testkit.cluster.TektonBundle;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pushes bundles of pipelines whose tasks run in sequence. */
final class PipelineBundles {

    private PipelineBundles() {}

    /** A task with one step per image; the first step has the name of the task. */
    record PipelineTask(String name, List<String> images, Map<String, Object> extraFields) {

        static PipelineTask of(String name, String... images) {
            return new PipelineTask(name, List.of(images), Map.of());
        }

        /** Adds a field of a pipeline task. */
        PipelineTask with(String key, Object value) {
            Map<String, Object> all = new LinkedHashMap<>(extraFields);
            all.put(key, value);
            return new PipelineTask(name, images, all);
        }

        Map<String, Object> toMap() {
            List<Map<String, Object>> steps = new ArrayList<>();
            for (int i = 0; i < images.size(); i++) {
                // Without a command Tekton reads the entrypoint from the registry of the image.
                steps.add(Map.of(
                        "name",
                        i == 0 ? "do-" + name : "then-" + i,
                        "image",
                        images.get(i),
                        "command",
                        List.of("/do"),
                        "args",
                        List.of()));
            }
            Map<String, Object> task = new LinkedHashMap<>(Map.of("name", name, "taskSpec", Map.of("steps", steps)));
            task.putAll(extraFields);
            return task;
        }
    }

    /** Returns the reference of a bundle with these tasks. */
    static String pushBundle(TestCluster cluster, PipelineTask... tasks) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (PipelineTask task : tasks) {
            Map<String, Object> yaml = task.toMap();
            if (!all.isEmpty() && !yaml.containsKey("runAfter")) {
                yaml.put(
                        "runAfter",
                        List.of(String.valueOf(all.get(all.size() - 1).get("name"))));
            }
            all.add(yaml);
        }
        return pushBundle(cluster, Map.of("tasks", all));
    }

    /** Returns the reference of a bundle with this pipeline. */
    static String pushBundle(TestCluster cluster, Map<String, Object> spec) {
        TektonBundle bundle = newBundle(spec);
        return cluster.registry().add("workflows/" + bundle.digest().substring(7, 19), "v1", bundle);
    }

    static TektonBundle newBundle(Map<String, Object> spec) {
        Map<String, Object> pipeline = Map.of(
                "apiVersion",
                "tekton.dev/v1",
                "kind",
                "Pipeline",
                "metadata",
                Map.of("name", "workflow"),
                "spec",
                spec);
        return TektonBundle.of("workflow", "pipeline", "tekton.dev/v1", Serialization.asJson(pipeline));
    }
}
