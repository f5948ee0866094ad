package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.proxy.RunEngine;
import dev.escapement.crashtests.kit.WorkflowBundles;
import dev.escapement.testkit.cluster.BundleRegistry;
import java.util.List;

/** Workflows as Tekton bundles and as Jobs; the names of their simulated images decide what happens. */
record CrashTestWorkflows(BundleRegistry registry) {

    /**
     * What an execution runs.
     *
     * @param image the bundle of a Pipeline, or the image of a Job
     */
    record Workload(RunEngine engine, String image) {}

    /** Returns a workload that succeeds after that time. */
    Workload createSucceeding(RunEngine engine, String time) {
        return createWorkload(engine, "good-" + time, "succeed:" + time);
    }

    /** Returns a workload that starts and fails. */
    Workload createFailing(RunEngine engine) {
        return createWorkload(engine, "failing", "exit:3");
    }

    /** Returns a workload that never starts. For Tekton only, which fails it at once: a Job is given two minutes. */
    Workload createUnpullable() {
        return createWorkload(RunEngine.TEKTON, "unpullable", "pull-failure");
    }

    private Workload createWorkload(RunEngine engine, String name, String behaviour) {
        return new Workload(
                engine,
                engine == RunEngine.JOB
                        ? "simulated.local/" + behaviour
                        : WorkflowBundles.add(registry, name, List.of("TARGET_RESOURCE"), List.of(behaviour)));
    }
}
