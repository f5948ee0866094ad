package dev.escapement.benchmarks.clustercrash;

import dev.escapement.cluster.Bundle;
import dev.escapement.cluster.BundleRegistry;

/** The workflows that are run: bundles whose steps do what their simulated images say. */
final class Bundles {

    private static final String PIPELINE = """
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata:
              name: workflow
            spec:
              params:
              - name: TARGET_RESOURCE
              tasks:
              - name: work
                taskSpec:
                  steps:
                  - name: act
                    image: %s
                    command: ["/work"]
                    securityContext:
                      allowPrivilegeEscalation: false
                      runAsNonRoot: true
                      capabilities: {drop: [ALL]}
                      seccompProfile: {type: RuntimeDefault}
            """;

    private final BundleRegistry registry;

    Bundles(BundleRegistry registry) {
        this.registry = registry;
    }

    /** Does its work in that time. */
    String good(String time) {
        return add("good-" + time, "simulated.local/succeed:" + time);
    }

    /** Begins, and fails. */
    String failing() {
        return add("failing", "simulated.local/exit:3");
    }

    /** Never begins. */
    String unpullable() {
        return add("unpullable", "simulated.local/pull-failure");
    }

    private String add(String name, String image) {
        Bundle bundle = Bundle.of("workflow", "pipeline", "tekton.dev/v1", PIPELINE.formatted(image));
        return registry.add("workflows/" + name, "v1", bundle);
    }
}
