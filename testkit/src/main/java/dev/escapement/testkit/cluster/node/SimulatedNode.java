package dev.escapement.testkit.cluster.node;

import dev.escapement.testkit.cluster.ClusterVersions;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

/** The Node object of the simulated node. */
final class SimulatedNode {

    private static final Map<String, Quantity> CAPACITY =
            Map.of("cpu", new Quantity("1000"), "memory", new Quantity("1Ti"), "pods", new Quantity("100000"));

    private SimulatedNode() {}

    /** Registers the node as ready, with large capacity. */
    static void register(KubernetesClient client, String name) {
        Node node = new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("kubernetes.io/hostname", name)
                .addToLabels("kubernetes.io/os", "linux")
                .addToLabels("kubernetes.io/arch", "amd64")
                .endMetadata()
                .build();
        client.nodes().resource(node).serverSideApply();
        client.nodes()
                .resource(new NodeBuilder(node).withStatus(readyStatus()).build())
                .patchStatus();
    }

    private static NodeStatus readyStatus() {
        return new NodeStatusBuilder()
                .withCapacity(CAPACITY)
                .withAllocatable(CAPACITY)
                .withConditions(new NodeConditionBuilder()
                        .withType("Ready")
                        .withStatus("True")
                        .withReason("Simulated")
                        .withMessage("nothing runs here")
                        .build())
                .withNewNodeInfo()
                .withArchitecture("amd64")
                .withOperatingSystem("linux")
                .withKubeletVersion(ClusterVersions.pinned().kubernetes())
                .withContainerRuntimeVersion("simulated://1")
                .endNodeInfo()
                .build();
    }
}
