package dev.escapement.testkit.cluster.node;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Map;

/**
 * Makes the writes of a scheduler and of a kubelet. Each contains the uid of the pod, so that a pod with the same name
 * is safe.
 */
record PodWriter(KubernetesClient client) {

    /** Returns whether the pod does not exist any more, or another one has its name. */
    static boolean isGone(KubernetesClientException refused) {
        return refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                || refused.getCode() == HttpURLConnection.HTTP_CONFLICT;
    }

    void bind(Pod pod, String node) {
        ObjectMeta metadata = pod.getMetadata();
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withName(metadata.getName())
                .withNamespace(metadata.getNamespace())
                .withUid(metadata.getUid())
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(node)
                .endTarget()
                .build();
        try {
            client.bindings()
                    .inNamespace(metadata.getNamespace())
                    .resource(binding)
                    .create();
        } catch (KubernetesClientException refused) {
            // It was bound before, and the read was stale; or it is being deleted, which the watch reports.
            if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
        }
    }

    void patchStatus(Pod pod, Map<String, Object> status) {
        String patch = client.getKubernetesSerialization()
                .asJson(Map.of("metadata", Map.of("uid", pod.getMetadata().getUid()), "status", status));
        resource(pod).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    /** Removes a deleted pod, as a kubelet does at the end. */
    void delete(Pod pod) {
        ObjectMeta metadata = pod.getMetadata();
        client.raw(
                "/api/v1/namespaces/%s/pods/%s".formatted(metadata.getNamespace(), metadata.getName()),
                "DELETE",
                Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "DeleteOptions",
                        "gracePeriodSeconds",
                        0,
                        "preconditions",
                        Map.of("uid", metadata.getUid())));
    }

    private PodResource resource(Pod pod) {
        return client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName());
    }
}
