package dev.escapement.benchmarks.kubernetes;

import dev.escapement.testkit.cluster.BundleRegistry;
import dev.escapement.testkit.cluster.TektonBundle;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The workflows of the measurements, in a registry on this machine; each is named after what its tasks do. */
final class BenchmarkWorkflows implements AutoCloseable {

    private final BundleRegistry registry = BundleRegistry.start();

    /** Succeeds at once. */
    String succeedingImage() {
        return addBundle("succeed", List.of("succeed"));
    }

    /** Fails in its only step. */
    String failingImage() {
        return addBundle("fail", List.of("exit:3"));
    }

    /** Goes on until somebody ends it. */
    String waitingImage() {
        return addBundle("wait", List.of("wait"));
    }

    /** Three tasks, one after the other. */
    String threeTaskImage() {
        return addBundle("three", List.of("succeed:300ms", "succeed:300ms", "succeed:300ms"));
    }

    /** Is in no registry. */
    String missingImage() {
        return registry.address() + "/workflows/missing:v1";
    }

    private String addBundle(String name, List<String> tasks) {
        String pipeline = """
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata: {name: workflow}
                spec:
                  params:
                  - {name: TARGET_RESOURCE, type: string}
                  - {name: REPLICAS, type: string}
                  - {name: REASON, type: string}
                  tasks:
                """
                + IntStream.range(0, tasks.size())
                        .mapToObj(place -> taskYaml(place, tasks.get(place)))
                        .collect(Collectors.joining());
        return registry.add(
                "workflows/" + name, "v1", TektonBundle.of("workflow", "pipeline", "tekton.dev/v1", pipeline));
    }

    /** Obeys the restricted profile that the namespace of the runs enforces. */
    private static String taskYaml(int place, String deed) {
        String after = place == 0 ? "" : "    runAfter: [task%d]\n".formatted(place - 1);
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
                """.formatted(place, after, deed);
    }

    @Override
    public void close() {
        registry.close();
    }
}
