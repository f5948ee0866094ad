package dev.escapement.benchmarks.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;

/** Removes what a measurement has left, so that the next begins as it did. */
final class BenchmarkCleanup {

    private static final int PAGE_SIZE = 500;

    /** Without a body the client would only read. */
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
