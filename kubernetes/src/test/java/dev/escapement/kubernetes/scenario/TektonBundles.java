package dev.escapement.kubernetes.scenario;

import dev.escapement.testkit.cluster.BundleRegistry;
import dev.escapement.testkit.cluster.TektonBundle;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Pushes Tekton workflows: tasks in sequence, each with one step whose image decides its outcome. */
record TektonBundles(BundleRegistry registry) {

    private static final List<String> TASK_NAMES = List.of("first", "second", "third");

    /** Returns the reference of a bundle with one task per image, such as {@code succeed} or {@code exit:3}. */
    String push(String... images) {
        String tasks = IntStream.range(0, images.length)
                .mapToObj(i -> task(i, images[i]))
                .collect(Collectors.joining());
        return pushPipeline("spec:\n  tasks:\n" + tasks);
    }

    private static String task(int index, String image) {
        String after = index == 0 ? "" : "    runAfter: [" + TASK_NAMES.get(index - 1) + "]\n";
        return """
                  - name: %s
                %s    taskSpec: {steps: [{name: work, image: "simulated.local/%s", script: "true"}]}
                """.formatted(TASK_NAMES.get(index), after, image);
    }

    /** Returns the reference of a bundle with this pipeline. */
    String pushPipeline(String spec) {
        String pipeline = "apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: workflow}\n" + spec;
        TektonBundle bundle = TektonBundle.of("workflow", "pipeline", "tekton.dev/v1", pipeline);
        return registry.add("workflows/" + bundle.digest().substring(7, 19), "v1", bundle);
    }

    /** Returns the reference of a bundle that does not exist. */
    String missingReference() {
        return registry.address() + "/workflows/none:v1";
    }
}
