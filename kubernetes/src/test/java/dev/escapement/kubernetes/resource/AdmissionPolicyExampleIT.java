package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The admission policy example on a real API server. */
@ExtendWith(ClusterExtension.class)
class AdmissionPolicyExampleIT {

    private static final Path EXAMPLE = Path.of("..", "examples", "kubernetes", "admission-policy.yaml");
    private static final String ALLOWED_IMAGE = "simulated.local/succeed";
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private final CrdTestCluster crdCluster;
    private final List<GenericKubernetesResource> policy = new ArrayList<>();

    AdmissionPolicyExampleIT(TestCluster cluster) {
        crdCluster = new CrdTestCluster(cluster);
    }

    /** Applies the policy to one namespace only, because other tests share the cluster. */
    @BeforeEach
    void applyPolicy() throws IOException {
        for (String document : Files.readString(EXAMPLE).split("\n---\n", -1)) {
            policy.add(YAML.unmarshal(document, GenericKubernetesResource.class));
        }
        GenericKubernetesResource binding = policy.get(1);
        Map<String, Object> spec = binding.get("spec");
        spec.put(
                "matchResources",
                Map.of(
                        "namespaceSelector",
                        Map.of("matchLabels", Map.of("kubernetes.io/metadata.name", crdCluster.namespace()))));
        policy.forEach(object -> crdCluster.admin().resource(object).create());
        ConditionPoller.await(
                "the policy is in effect",
                () -> rejection("unlisted", ALLOWED_IMAGE).isPresent());
    }

    @AfterEach
    void removePolicy() {
        policy.forEach(object -> crdCluster.admin().resource(object).delete());
        crdCluster.close();
    }

    @Test
    void rejectsUnlistedServiceAccount() {
        assertThat(rejection("cluster-admin-bot", ALLOWED_IMAGE))
                .hasValueSatisfying(message -> assertThat(message)
                        .contains("service account \"cluster-admin-bot\" is not allowed")
                        .contains("serviceAccountName may be one of restarts-deployments, or be left out"));
    }

    @Test
    void rejectsUnlistedImage() {
        assertThat(rejection("restarts-deployments", "registry.example.org/workflows/x:1"))
                .hasValueSatisfying(message -> assertThat(message)
                        .contains("image \"registry.example.org/workflows/x:1\" is not allowed")
                        .contains("must begin with registry.example.com/workflows/ or simulated.local/"));
    }

    @Test
    void acceptsAllowedAccountAndImage() {
        assertThat(rejection("restarts-deployments", ALLOWED_IMAGE)).isEmpty();
        assertThat(rejection("", "registry.example.com/workflows/restart:1")).isEmpty();
        assertThat(crdCluster.rejection(crdCluster.newExecution(
                        "workflowRef", Map.of("workflowId", "clean-disk", "containerImage", ALLOWED_IMAGE))))
                .isEmpty();
    }

    private Optional<String> rejection(String account, String image) {
        UntypedExecution execution = crdCluster.newExecution("executionConfig/serviceAccountName", account);
        execution.getSpec().put("workflowRef", Map.of("workflowId", "clean-disk", "containerImage", image));
        return crdCluster.rejection(execution);
    }
}
