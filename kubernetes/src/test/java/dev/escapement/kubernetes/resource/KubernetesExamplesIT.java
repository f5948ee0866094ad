package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster accepts the examples. */
@ExtendWith(ClusterExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class KubernetesExamplesIT {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private final CrdTestCluster crdCluster;

    KubernetesExamplesIT(TestCluster cluster) {
        crdCluster = new CrdTestCluster(cluster);
    }

    @AfterAll
    void cleanUp() {
        crdCluster.close();
    }

    @Test
    void clusterAcceptsEveryExample() throws IOException {
        List<String> examples = KubernetesExamplesTest.executionExamples();
        assertThat(examples).hasSizeGreaterThanOrEqualTo(4);
        for (String yaml : examples) {
            UntypedExecution example = YAML.unmarshal(yaml, UntypedExecution.class);
            example.getMetadata().setNamespace(crdCluster.namespace());
            assertThat(crdCluster.rejection(example)).isEmpty();
        }
    }
}
