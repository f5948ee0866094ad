package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The output of the real {@code kubectl}. */
@ExtendWith(ClusterExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class KubectlOutputIT {

    private static final String EXECUTION_YAML = """
            apiVersion: kubernaut.ai/v1alpha1
            kind: WorkflowExecution
            metadata:
              name: NAME
            spec:
              workflowRef:
                workflowId: clean-disk
              targetResource: TARGET
            """;

    private final CrdTestCluster crdCluster;
    private final Path kubeconfig;

    @TempDir
    Path folder = Path.of("");

    KubectlOutputIT(TestCluster cluster) {
        crdCluster = new CrdTestCluster(cluster);
        kubeconfig = cluster.cluster().kubeconfig();
    }

    @AfterAll
    void cleanUp() {
        crdCluster.close();
    }

    @Test
    void explainsInvalidField() throws Exception {
        assertThat(apply("wrong", "worker-1"))
                .startsWith(
                        "The WorkflowExecution \"wrong\" is invalid: spec.targetResource: Invalid value: \"worker-1\":")
                .contains("write namespace/kind/name, or kind/name for what has no namespace");
        assertThat(apply("wrong", "node/worker-1\n  target: node/worker-1"))
                .contains("strict decoding error: unknown field \"spec.target\"");
    }

    @Test
    void explainsRejectedSpecChange() throws Exception {
        assertThat(apply("fix-1", "node/worker-1")).contains("fix-1 created");
        assertThat(apply("fix-1", "node/worker-1")).contains("fix-1 unchanged");
        assertThat(apply("fix-1", "node/worker-2"))
                .contains("the spec of an execution never changes; create another execution under a new name");
    }

    @Test
    void listsPhaseWorkflowTargetAndReason() throws Exception {
        apply("fix-2", "node/worker-1");
        UntypedExecution stored = crdCluster
                .admin()
                .resources(UntypedExecution.class)
                .inNamespace(crdCluster.namespace())
                .withName("fix-2")
                .get();
        stored.setStatus(Map.of("phase", "Skipped", "skipDetails", Map.of("reason", "ResourceBusy")));
        crdCluster.admin().resource(stored).updateStatus();
        assertThat(kubectl("get", "wfe", "fix-2").replaceAll(" +", " "))
                .contains("NAME PHASE WORKFLOW TARGET REASON DURATION AGE")
                .contains("fix-2 Skipped clean-disk node/worker-1 ResourceBusy");
        assertThat(kubectl("explain", "wfe.spec.targetResource")).contains("namespace/kind/name");
    }

    private String apply(String name, String target) throws Exception {
        return newKubectl().apply(EXECUTION_YAML.replace("NAME", name).replace("TARGET", target));
    }

    private String kubectl(String... arguments) throws Exception {
        return newKubectl().run(arguments);
    }

    private NamespacedKubectl newKubectl() {
        return new NamespacedKubectl(kubeconfig, crdCluster.namespace(), folder);
    }
}
