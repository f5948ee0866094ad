package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.proxy.Engine;
import dev.escapement.cluster.Bundle;
import dev.escapement.cluster.BundleRegistry;

/** The workflows that are run: bundles and Jobs that do what their simulated images say. */
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
                    command: ["/bin/work"]
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

    /**
     * What an execution asks for.
     *
     * @param image the bundle of a pipeline, or the image of a Job
     */
    record Work(Engine engine, String image) {}

    /** Does its work in that time. */
    Work good(Engine engine, String time) {
        return work(engine, "good-" + time, "simulated.local/succeed:" + time);
    }

    /** Begins, and fails. */
    Work failing(Engine engine) {
        return work(engine, "failing", "simulated.local/exit:3");
    }

    /** Never begins. By Tekton, which says so at once: a Job is given two minutes. */
    Work unpullable() {
        return work(Engine.TEKTON, "unpullable", "simulated.local/pull-failure");
    }

    private Work work(Engine engine, String name, String image) {
        return new Work(engine, engine == Engine.JOB ? image : add(name, image));
    }

    private String add(String name, String image) {
        Bundle bundle = Bundle.of("workflow", "pipeline", "tekton.dev/v1", PIPELINE.formatted(image));
        return registry.add("workflows/" + name, "v1", bundle);
    }
}
