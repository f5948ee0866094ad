package dev.escapement.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Behaviour that a mock of an API server does not have. */
@ExtendWith(ClusterExtension.class)
class ControlPlaneIT {

    private final TestCluster cluster;
    private final KubernetesClient admin;
    private final String namespace;

    ControlPlaneIT(TestCluster cluster) {
        this.cluster = cluster;
        this.admin = cluster.admin();
        this.namespace = cluster.createNamespace("plane");
    }

    @Test
    void apiServerHasPinnedVersion() {
        assertThat(admin.getKubernetesVersion().getGitVersion())
                .isEqualTo(ClusterVersions.pinned().kubernetes());
    }

    @Test
    void garbageCollectorDeletesOwnedObjects() {
        ConfigMap owner = createConfigMap("owner");
        ConfigMap owned = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("owned")
                .withNamespace(namespace)
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName("owner")
                .withUid(owner.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .build();
        admin.resource(owned).create();

        admin.resource(owner).delete();

        admin.resource(owned)
                .waitUntilCondition(each -> each == null, TestCluster.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(admin.resource(owned).get()).isNull();
    }

    @Test
    void resourceQuotaRejectsCreation() {
        admin.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("none")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of("count/secrets", new Quantity("0")))
                        .endSpec()
                        .build())
                .create();

        // Admission knows a quota a moment after its creation.
        ClusterPoller.waitUntil(
                () -> createSecretAndGetError().contains("exceeded quota"), TestCluster.TIMEOUT, () -> "never refused");
        assertThat(createSecretAndGetError()).contains("exceeded quota: none", "count/secrets=0");
    }

    private String createSecretAndGetError() {
        try {
            admin.resource(new SecretBuilder()
                            .withNewMetadata()
                            .withGenerateName("more-")
                            .withNamespace(namespace)
                            .endMetadata()
                            .build())
                    .create();
            return "";
        } catch (KubernetesClientException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void serviceAccountHasOnlyRightsOfItsRole() {
        admin.load(ManifestTemplates.forNamespace(namespace, """
                        apiVersion: v1
                        kind: ServiceAccount
                        metadata: {name: reader, namespace: NAMESPACE}
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: Role
                        metadata: {name: reader, namespace: NAMESPACE}
                        rules:
                        - {apiGroups: [""], resources: [configmaps], verbs: [list]}
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: RoleBinding
                        metadata: {name: reader, namespace: NAMESPACE}
                        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
                        subjects:
                        - {kind: ServiceAccount, name: reader, namespace: NAMESPACE}
                        """)).create();
        createConfigMap("seen");

        try (KubernetesClient reader =
                cluster.kubeconfigFor(namespace, "reader").client()) {
            // The API server gets new permissions through a watch.
            ClusterPoller.waitUntil(
                    () -> canListConfigMaps(reader), Duration.ofSeconds(60), () -> "the role has no effect");
            assertThat(reader.configMaps().inNamespace(namespace).list().getItems())
                    .extracting(each -> each.getMetadata().getName())
                    .contains("seen");
            assertThatThrownBy(() -> reader.secrets().inNamespace(namespace).list())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("forbidden");
        }
    }

    @Test
    void writesEveryRequestToAuditLog() throws IOException {
        createConfigMap("a-name-that-is-audited");

        assertThat(Files.readAllLines(cluster.cluster().auditLog()))
                .anySatisfy(line -> assertThat(line)
                        .contains("\"verb\":\"create\"", "a-name-that-is-audited", "\"username\":\"admin\""));
    }

    @Test
    void filesWithSecretsAreReadableOnlyByOwner() throws IOException {
        assertThat(Files.getPosixFilePermissions(cluster.cluster().kubeconfig()))
                .hasSize(2);
        assertThat(Files.getPosixFilePermissions(cluster.cluster().directory())).hasSize(3);
    }

    private boolean canListConfigMaps(KubernetesClient reader) {
        try {
            reader.configMaps().inNamespace(namespace).list();
            return true;
        } catch (KubernetesClientException refused) {
            return false;
        }
    }

    private ConfigMap createConfigMap(String name) {
        return admin.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
    }
}
