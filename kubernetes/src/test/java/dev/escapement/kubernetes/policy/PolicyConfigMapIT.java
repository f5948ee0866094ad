package dev.escapement.kubernetes.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Policy;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ClusterExtension.class)
class PolicyConfigMapIT {

    private static final Instant STARTED = Instant.parse("2026-11-15T12:00:00Z");

    private final KubernetesClient admin;
    private final String namespace;
    private final List<String> rejections = new CopyOnWriteArrayList<>();
    private final List<Policy> changes = new CopyOnWriteArrayList<>();
    private volatile Instant now = STARTED;
    private final PolicyConfigMap policy;

    PolicyConfigMapIT(TestCluster cluster) {
        this.admin = cluster.admin();
        this.namespace = cluster.createNamespace("policy");
        this.policy = new PolicyConfigMap(admin, namespace, () -> now, (map, problem) -> rejections.add(problem));
        policy.onChange(() -> changes.add(policy.get()));
        ConditionPoller.await("the watch", policy.informer()::hasSynced);
    }

    @AfterEach
    void close() {
        policy.close();
    }

    private Resource<ConfigMap> configMap(Map<String, String> data) {
        return admin.resource(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(PolicyConfigMap.NAME)
                .endMetadata()
                .withData(data)
                .build());
    }

    private void writeConfigMap(Map<String, String> data) {
        configMap(data).createOr(NonDeletingOperation::update);
    }

    private void awaitCooldown(Duration cooldown) {
        ConditionPoller.await(
                "a cooldown of " + cooldown, () -> policy.get().cooldown().equals(cooldown));
    }

    @Test
    void usesDefaultsWithoutConfigMap() {
        assertThat(policy.get()).isEqualTo(Policy.DEFAULT);
        assertThat(policy.document())
                .containsEntry("origin", "default")
                .containsEntry("since", STARTED.toString())
                .doesNotContainKey("lastRefused");
    }

    @Test
    void loadsInitialPolicyFromConfigMap() {
        assertThat(policy.loadInitial()).isEmpty();
        writeConfigMap(Map.of("cooldown-period", "7m"));
        try (PolicyConfigMap second =
                new PolicyConfigMap(admin, namespace, () -> now, (map, problem) -> rejections.add(problem))) {
            ConditionPoller.await("the watch", second.informer()::hasSynced);
            assertThat(second.loadInitial()).isEmpty();
            assertThat(second.get().cooldown()).isEqualTo(Duration.ofMinutes(7));
        }
    }

    @Test
    void reportsInvalidInitialPolicy() {
        writeConfigMap(Map.of("cooldown-period", "soon"));
        try (PolicyConfigMap second =
                new PolicyConfigMap(admin, namespace, () -> now, (map, problem) -> rejections.add(problem))) {
            ConditionPoller.await("the watch", second.informer()::hasSynced);
            assertThat(second.loadInitial())
                    .hasValueSatisfying(problem -> assertThat(problem).contains("cooldown-period", "soon"));
        }
    }

    @Test
    void appliesChangeAndNotifiesListener() {
        now = STARTED.plusSeconds(60);
        writeConfigMap(Map.of("cooldown-period", "1s"));
        awaitCooldown(Duration.ofSeconds(1));

        writeConfigMap(Map.of("cooldown-period", "2s"));
        ConditionPoller.await("both changes are reported", () -> changes.size() == 2);

        assertThat(changes).extracting(Policy::cooldown).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(policy.document())
                .containsEntry("cooldown-period", "2s")
                .containsEntry("since", now.toString())
                .containsEntry("origin", "ConfigMap " + namespace + "/" + PolicyConfigMap.NAME);
    }

    @Test
    void doesNotNotifyOnEquivalentPolicy() {
        writeConfigMap(Map.of("cooldown-period", "1s"));
        awaitCooldown(Duration.ofSeconds(1));

        writeConfigMap(Map.of("cooldown-period", "1000ms"));
        writeConfigMap(Map.of("cooldown-period", "3s"));
        awaitCooldown(Duration.ofSeconds(3));

        ConditionPoller.await("the last change is reported", () -> changes.contains(policy.get()));
        assertThat(changes).hasSize(2);
    }

    @Test
    void rejectsInvalidPolicyOnceAndKeepsOldOne() {
        writeConfigMap(Map.of("cooldown-period", "1s"));
        awaitCooldown(Duration.ofSeconds(1));

        writeConfigMap(Map.of("cooldown-period", "1 parsec"));
        ConditionPoller.await("the rejection", () -> !rejections.isEmpty());
        writeConfigMap(Map.of("cooldown-period", "1 parsec", "max-consecutive-failures", "none"));
        ConditionPoller.await("the second rejection", () -> rejections.size() == 2);

        assertThat(rejections.get(0)).contains("cooldown-period", "parsec");
        assertThat(rejections.get(1)).contains("max-consecutive-failures");
        assertThat(policy.get().cooldown()).isEqualTo(Duration.ofSeconds(1));
        assertThat(policy.document().get("lastRefused")).asString().contains("max-consecutive-failures");
        assertThat(changes).hasSize(1);
    }

    @Test
    void reportsSameRejectionOnceAndClearsItOnValidPolicy() {
        writeConfigMap(Map.of("cooldown-period", "1 parsec"));
        ConditionPoller.await("the rejection", () -> !rejections.isEmpty());
        admin.configMaps()
                .inNamespace(namespace)
                .withName(PolicyConfigMap.NAME)
                .edit((ConfigMap map) -> map.edit()
                        .editMetadata()
                        .addToLabels("seen", "yes")
                        .endMetadata()
                        .build());

        writeConfigMap(Map.of("cooldown-period", "1s"));
        awaitCooldown(Duration.ofSeconds(1));

        assertThat(rejections).hasSize(1);
        assertThat(policy.document()).doesNotContainKey("lastRefused");
    }

    @Test
    void returnsToDefaultsWhenConfigMapIsDeleted() {
        writeConfigMap(Map.of("cooldown-period", "1s"));
        awaitCooldown(Duration.ofSeconds(1));

        configMap(Map.of()).delete();
        awaitCooldown(Policy.DEFAULT.cooldown());

        assertThat(policy.document()).containsEntry("origin", "default");
        ConditionPoller.await("the change is reported", () -> changes.size() == 2);
    }
}
