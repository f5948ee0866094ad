package dev.escapement.testkit.cluster;

import dev.escapement.testkit.cluster.node.SimulatedKubelet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;

/** Pods with one container. */
public final class TestPods {

    private TestPods() {}

    public static PodResource create(TestCluster cluster, String namespace, String image) {
        Pod pod = cluster.admin()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withGenerateName("pod-")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .addNewContainer()
                        .withName("main")
                        .withImage("simulated.local/" + image)
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        return cluster.admin()
                .pods()
                .inNamespace(namespace)
                .withName(pod.getMetadata().getName());
    }

    /** Sets the annotation that ends waiting containers. */
    public static void requestExit(PodResource pod, String how) {
        pod.edit(each -> new PodBuilder(each)
                .editMetadata()
                .addToAnnotations(SimulatedKubelet.END_ANNOTATION, how)
                .endMetadata()
                .build());
    }
}
