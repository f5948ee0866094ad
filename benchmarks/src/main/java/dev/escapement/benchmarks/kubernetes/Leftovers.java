package dev.escapement.benchmarks.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;

/** Removes what a measurement has left, so that the next begins as it did. */
final class Leftovers {

    private static final int AT_ONCE = 500;

    /** Without a body the client would only read. */
    private static final Map<String, String> OPTIONS = Map.of("kind", "DeleteOptions", "apiVersion", "v1");

    private Leftovers() {}

    static void remove(KubernetesClient admin) {
        for (String path : List.of(
                "/apis/kubernaut.ai/v1alpha1/namespaces/" + Site.REQUESTS + "/workflowexecutions",
                "/apis/kubernaut.ai/v1alpha1/remediationtargets",
                "/apis/tekton.dev/v1/namespaces/" + Site.RUNS + "/pipelineruns",
                "/api/v1/namespaces/" + Site.REQUESTS + "/events")) {
            while (!admin.raw(path + "?limit=1").contains("\"items\":[]")) {
                admin.raw(path + "?limit=" + AT_ONCE, "DELETE", OPTIONS);
            }
        }
    }
}
