package dev.escapement.benchmarks.kubernetes;

import dev.escapement.crashtests.kit.WorkflowBundles;
import dev.escapement.testkit.cluster.BundleRegistry;
import java.util.List;

/** The workflows of the benchmarks, in a registry on this machine. */
final class BenchmarkWorkflows implements AutoCloseable {

    private static final List<String> PARAMETERS = List.of("TARGET_RESOURCE", "REPLICAS", "REASON");

    private final BundleRegistry registry = BundleRegistry.start();

    /** Succeeds at once. */
    String succeedingImage() {
        return addBundle("succeed", "succeed");
    }

    /** Fails in its only step. */
    String failingImage() {
        return addBundle("fail", "exit:3");
    }

    /** Runs until an annotation of its pod ends it. */
    String waitingImage() {
        return addBundle("wait", "wait");
    }

    /** Has three tasks in sequence. */
    String threeTaskImage() {
        return addBundle("three", "succeed:300ms", "succeed:300ms", "succeed:300ms");
    }

    /** Does not exist. */
    String missingImage() {
        return registry.address() + "/workflows/missing:v1";
    }

    private String addBundle(String name, String... behaviours) {
        return WorkflowBundles.add(registry, name, PARAMETERS, List.of(behaviours));
    }

    @Override
    public void close() {
        registry.close();
    }
}
