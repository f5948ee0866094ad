package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.proxy.RunEngine;
import dev.escapement.testkit.cluster.BundleRegistry;
import dev.escapement.testkit.cluster.TektonBundle;

/** The workflows that are run: bundles and Jobs that do what their simulated images say. */
final class CrashTestWorkflows {

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

    CrashTestWorkflows(BundleRegistry registry) {
        this.registry = registry;
    }

    /**
     * What an execution asks for.
     *
     * @param image the bundle of a pipeline, or the image of a Job
     */
    record Workload(RunEngine engine, String image) {}

    /** Does its work in that time. */
    Workload createSucceeding(RunEngine engine, String time) {
        return createWorkload(engine, "good-" + time, "simulated.local/succeed:" + time);
    }

    /** Begins, and fails. */
    Workload createFailing(RunEngine engine) {
        return createWorkload(engine, "failing", "simulated.local/exit:3");
    }

    /** Never begins. By Tekton, which says so at once: a Job is given two minutes. */
    Workload createUnpullable() {
        return createWorkload(RunEngine.TEKTON, "unpullable", "simulated.local/pull-failure");
    }

    private Workload createWorkload(RunEngine engine, String name, String image) {
        return new Workload(engine, engine == RunEngine.JOB ? image : addBundle(name, image));
    }

    private String addBundle(String name, String image) {
        TektonBundle bundle = TektonBundle.of("workflow", "pipeline", "tekton.dev/v1", PIPELINE.formatted(image));
        return registry.add("workflows/" + name, "v1", bundle);
    }
}
