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

/** The writes of a scheduler and of a kubelet. Each names the pod's uid, so that none hits another of the same name. */
record PodWriter(KubernetesClient client) {

    /** Whether the answer says that the pod is no more, or that another one has its name. */
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
            // Taken by us before: what was seen of it was old. Or it is on its way out, which comes as news of its own.
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

    /** The last thing that a kubelet does for a pod that was deleted. */
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
