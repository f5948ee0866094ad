package dev.escapement.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.kubernetes.store.KubernetesPorts;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ClusterExtension.class)
class NotificationAccessIT {

    private final KubernetesClient admin;

    NotificationAccessIT(TestCluster cluster) {
        this.admin = cluster.admin();
        KubernetesPorts.installCrds(admin);
    }

    @Test
    void missingPermissionIsNamed() {
        try (KubernetesClient stranger = KubernetesClients.open(
                new ConfigBuilder(admin.getConfiguration())
                        .withImpersonateUsername("stranger")
                        .build(),
                (method, code) -> {})) {
            assertThatThrownBy(() -> KubernetesClients.checkNotificationAccess(stranger))
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            refused -> assertThat(refused.getCode()).isEqualTo(403))
                    .hasMessageContaining("cannot list resource \"notificationrequests\"");
        }
        assertThatCode(() -> KubernetesClients.checkNotificationAccess(admin)).doesNotThrowAnyException();
    }
}
