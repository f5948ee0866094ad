package dev.escapement.kubernetes.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.kubernetes.operator.ApiServer;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.run.Eventually;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of what cannot be told. */
@ExtendWith(ClusterExtension.class)
class EventPosterTest {

    private static final int MORE_THAN_FIT = 41_000;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final Deque<Runnable> later = new ConcurrentLinkedDeque<>();
    private final KubernetesClient admin;
    private final KubernetesClient client;
    private final String namespace;
    private final EventJournal journal;
    private final EventPoster poster;

    /** Nobody has allowed anything to the one who tells. */
    EventPosterTest(TestCluster cluster) {
        this.admin = cluster.admin();
        this.namespace = cluster.freshNamespace("poster");
        this.client = ApiServer.open(
                new ConfigBuilder(admin.getConfiguration())
                        .withImpersonateUsername(namespace)
                        .build(),
                (method, code) -> {});
        this.journal = EventJournal.watch(admin);
        this.poster = poster(client);
    }

    private EventPoster poster(KubernetesClient by) {
        return new EventPoster(by, journal, "test", () -> ExecutionSamples.NOW, (wait, work) -> later.add(work));
    }

    @AfterEach
    void close() {
        poster.close();
        journal.close();
        client.close();
    }

    private void allow() {
        admin.resource(new RoleBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("tell")
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups("")
                        .withResources("events")
                        .withVerbs("create")
                        .endRule()
                        .build())
                .create();
        admin.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("tell")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", "tell")
                        .addNewSubject("rbac.authorization.k8s.io", "User", namespace, null)
                        .build())
                .create();
    }

    private static Transition asked(String namespace, int number) {
        Execution execution = ExecutionSamples.execution(namespace, number, "repair", "node/worker-1");
        return Transition.of(new StoreWrite.Creation(execution)).orElseThrow();
    }

    private void isToldInTheEnd() {
        Eventually.holds("it is told", () -> {
            if (!later.isEmpty()) {
                later.remove().run();
            }
            return told().size() == 1;
        });
    }

    private List<Event> told() {
        return admin.v1().events().inNamespace(namespace).list().getItems();
    }

    @Test
    void whatWasRefusedIsToldWhenItIsAllowed() {
        Transition told = asked(namespace, 1);
        poster.onLoss(() -> poster.post(told));
        poster.post(told);
        Eventually.holds("it is refused", () -> poster.lost() == 1);
        assertThat(told()).isEmpty();

        allow();
        isToldInTheEnd();
    }

    /** A clearance that the next one has replaced, say: there is nothing left to derive it from. */
    @Test
    void whatIsNoLongerStoredIsToldWhenItIsAllowed() {
        poster.post(asked(namespace, 1));
        Eventually.holds("it is refused", () -> poster.lost() == 1);
        allow();
        isToldInTheEnd();
    }

    @Test
    void whoeverInsistsGoesOnWhenItIsTold() {
        try (EventPoster allowed = poster(admin)) {
            Transition told = asked(namespace, 1);
            allowed.insist(told);
            assertThat(told()).hasSize(1);
        }
    }

    /** Nobody waits in vain for what was refused. */
    @Test
    void whoeverInsistsGoesOnWhenItIsRefused() {
        poster.insist(asked(namespace, 1));
        assertThat(poster.lost()).isEqualTo(1);
    }

    @Test
    void nobodyInsistsOnWhatTheApiServerHasForgotten() {
        Execution old = ExecutionSamples.execution(namespace, 1, "repair", "node/worker-1");
        Transition told = Transition.of(new StoreWrite.Cancellation(
                        new Versioned<>(old, Versioned.ABSENT), "ada", ExecutionSamples.NOW.minus(Duration.ofHours(2))))
                .orElseThrow();
        try (EventPoster allowed = poster(admin)) {
            allowed.insist(told);
            assertThat(allowed.flush(LAST_WORDS)).isTrue();
            assertThat(told()).isEmpty();
        }
    }

    @Test
    void whatDoesNotFitIsCountedAndToldLater() {
        Config nobody = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .build();
        try (KubernetesClient away = ApiServer.open(nobody, (method, code) -> {});
                EventPoster full = poster(away)) {
            for (int number = 0; number < MORE_THAN_FIT; number++) {
                full.post(asked(namespace, number));
            }
            assertThat(full.lost()).isGreaterThan(900);
            assertThat(later).hasSize(1);
        }
    }

    @Test
    void aNamespaceThatIsGoneIsNoLoss() {
        try (EventPoster allowed = poster(admin)) {
            allowed.post(asked("nowhere", 1));
            assertThat(allowed.flush(TestCluster.PATIENCE)).isTrue();
            assertThat(allowed.lost()).isZero();
        }
    }

    /** The journal never hears of it. */
    @Test
    void nobodyWaitsForTheJournalBecauseOfWhatIsNoTransition() {
        WorkflowExecution resource =
                ExecutionCodec.request(ExecutionSamples.execution(namespace, 1, "repair", "node/worker-1"));
        resource.getMetadata().setUid("uid");
        try (EventPoster allowed = poster(admin)) {
            allowed.heldUp(resource, "a webhook does not answer");
            Eventually.holds("it is told", () -> told().size() == 1);
            assertThat(allowed.flush(LAST_WORDS)).isTrue();
        }
    }
}
