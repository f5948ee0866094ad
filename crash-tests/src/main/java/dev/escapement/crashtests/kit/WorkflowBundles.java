package dev.escapement.crashtests.kit;

import dev.escapement.testkit.cluster.BundleRegistry;
import dev.escapement.testkit.cluster.TektonBundle;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Tekton bundles with a Pipeline whose tasks run simulated images, one after the other. */
public final class WorkflowBundles {

    private WorkflowBundles() {}

    /**
     * Adds a bundle to the registry.
     *
     * @param parameters of the Pipeline
     * @param behaviours of its tasks: names of simulated images without the host, such as {@code exit:3}
     * @return the reference of the bundle
     */
    public static String add(BundleRegistry registry, String name, List<String> parameters, List<String> behaviours) {
        String pipeline = """
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata: {name: workflow}
                spec:
                  params: [%s]
                  tasks:
                """.formatted(parameters.stream()
                        .map(parameter -> "{name: %s, type: string}".formatted(parameter))
                        .collect(Collectors.joining(", ")))
                + IntStream.range(0, behaviours.size())
                        .mapToObj(number -> taskYaml(number, behaviours.get(number)))
                        .collect(Collectors.joining());
        return registry.add(
                "workflows/" + name, "v1", TektonBundle.of("workflow", "pipeline", "tekton.dev/v1", pipeline));
    }

    /** The task complies with the restricted profile, which the namespace of the runs enforces. */
    private static String taskYaml(int number, String behaviour) {
        String runAfter = number == 0 ? "" : "    runAfter: [task%d]\n".formatted(number - 1);
        return """
                  - name: task%d
                %s    taskSpec:
                      steps:
                      - name: act
                        image: simulated.local/%s
                        command: [act]
                        securityContext:
                          allowPrivilegeEscalation: false
                          runAsNonRoot: true
                          runAsUser: 65532
                          capabilities: {drop: [ALL]}
                          seccompProfile: {type: RuntimeDefault}
                """.formatted(number, runAfter, behaviour);
    }
}
