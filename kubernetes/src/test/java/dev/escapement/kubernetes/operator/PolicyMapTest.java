package dev.escapement.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.governor.Policy;
import dev.escapement.kubernetes.run.Eventually;
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

/** With a real ConfigMap. */
@ExtendWith(ClusterExtension.class)
class PolicyMapTest {

    private static final Instant STARTED = Instant.parse("2026-11-15T12:00:00Z");

    private final KubernetesClient admin;
    private final String namespace;
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final List<Policy> heard = new CopyOnWriteArrayList<>();
    private volatile Instant now = STARTED;
    private final PolicyMap policy;

    PolicyMapTest(TestCluster cluster) {
        this.admin = cluster.admin();
        this.namespace = cluster.freshNamespace("policy");
        this.policy = PolicyMap.watch(admin, namespace, () -> now, (map, problem) -> refused.add(problem));
        policy.onChange(() -> heard.add(policy.get()));
        Eventually.holds("the watch", policy.informer()::hasSynced);
    }

    @AfterEach
    void close() {
        policy.close();
    }

    private Resource<ConfigMap> map(Map<String, String> data) {
        return admin.resource(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(PolicyMap.NAME)
                .endMetadata()
                .withData(data)
                .build());
    }

    private void write(Map<String, String> data) {
        map(data).createOr(NonDeletingOperation::update);
    }

    private void awaitCooldown(Duration cooldown) {
        Eventually.holds(
                "a cooldown of " + cooldown, () -> policy.get().cooldown().equals(cooldown));
    }

    @Test
    void theDefaultsHoldWithoutAMap() {
        assertThat(policy.get()).isEqualTo(Policy.DEFAULT);
        assertThat(policy.document())
                .containsEntry("origin", "default")
                .containsEntry("since", STARTED.toString())
                .doesNotContainKey("lastRefused");
    }

    @Test
    void aChangeHoldsAtOnceAndIsHeardWhenItDoes() {
        now = STARTED.plusSeconds(60);
        write(Map.of("cooldown-period", "1s"));
        awaitCooldown(Duration.ofSeconds(1));

        write(Map.of("cooldown-period", "2s"));
        Eventually.holds("both were heard", () -> heard.size() == 2);

        assertThat(heard).extracting(Policy::cooldown).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(policy.document())
                .containsEntry("cooldown-period", "2s")
                .containsEntry("since", now.toString())
                .containsEntry("origin", "ConfigMap " + namespace + "/" + PolicyMap.NAME);
    }

    @Test
    void whatMakesNoDifferenceIsNotHeard() {
        write(Map.of("cooldown-period", "1s"));
        awaitCooldown(Duration.ofSeconds(1));

        write(Map.of("cooldown-period", "1000ms"));
        write(Map.of("cooldown-period", "3s"));
        awaitCooldown(Duration.ofSeconds(3));

        Eventually.holds("the last was heard", () -> heard.contains(policy.get()));
        assertThat(heard).hasSize(2);
    }

    @Test
    void whatCannotBeUsedIsRefusedOnceAndTheOldRulesStay() {
        write(Map.of("cooldown-period", "1s"));
        awaitCooldown(Duration.ofSeconds(1));

        write(Map.of("cooldown-period", "1 parsec"));
        Eventually.holds("the refusal", () -> !refused.isEmpty());
        write(Map.of("cooldown-period", "1 parsec", "max-consecutive-failures", "none"));
        Eventually.holds("the next refusal", () -> refused.size() == 2);

        assertThat(refused.get(0)).contains("cooldown-period", "parsec");
        assertThat(refused.get(1)).contains("max-consecutive-failures");
        assertThat(policy.get().cooldown()).isEqualTo(Duration.ofSeconds(1));
        assertThat(policy.document().get("lastRefused")).asString().contains("max-consecutive-failures");
        assertThat(heard).hasSize(1);
    }

    @Test
    void theSameRefusalIsNotToldTwiceAndEndsWithRulesThatCanBeUsed() {
        write(Map.of("cooldown-period", "1 parsec"));
        Eventually.holds("the refusal", () -> !refused.isEmpty());
        admin.configMaps()
                .inNamespace(namespace)
                .withName(PolicyMap.NAME)
                .edit((ConfigMap map) -> map.edit()
                        .editMetadata()
                        .addToLabels("seen", "yes")
                        .endMetadata()
                        .build());

        write(Map.of("cooldown-period", "1s"));
        awaitCooldown(Duration.ofSeconds(1));

        assertThat(refused).hasSize(1);
        assertThat(policy.document()).doesNotContainKey("lastRefused");
    }

    @Test
    void theDefaultsHoldAgainWhenTheMapIsGone() {
        write(Map.of("cooldown-period", "1s"));
        awaitCooldown(Duration.ofSeconds(1));

        map(Map.of()).delete();
        awaitCooldown(Policy.DEFAULT.cooldown());

        assertThat(policy.document()).containsEntry("origin", "default");
        Eventually.holds("it was heard", () -> heard.size() == 2);
    }
}
