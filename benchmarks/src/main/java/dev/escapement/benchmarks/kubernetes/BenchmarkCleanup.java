package dev.escapement.benchmarks.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;

/** Deletes the objects of a measurement, so that the next one starts in the same state. */
final class BenchmarkCleanup {

    private static final int PAGE_SIZE = 500;

    /** Without a body the client sends a GET. */
    private static final Map<String, String> DELETE_OPTIONS = Map.of("kind", "DeleteOptions", "apiVersion", "v1");

    private BenchmarkCleanup() {}

    static void removeAll(KubernetesClient admin) {
        for (String path : List.of(
                "/apis/kubernaut.ai/v1alpha1/namespaces/" + BenchmarkCluster.REQUEST_NAMESPACE + "/workflowexecutions",
                "/apis/kubernaut.ai/v1alpha1/remediationtargets",
                "/apis/tekton.dev/v1/namespaces/" + BenchmarkCluster.RUN_NAMESPACE + "/pipelineruns",
                "/api/v1/namespaces/" + BenchmarkCluster.REQUEST_NAMESPACE + "/events")) {
            while (!admin.raw(path + "?limit=1").contains("\"items\":[]")) {
                admin.raw(path + "?limit=" + PAGE_SIZE, "DELETE", DELETE_OPTIONS);
            }
        }
    }
}
