package dev.escapement.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.Engine;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.journal.TellingStore;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.ClusterPorts;
import dev.escapement.kubernetes.store.ItemView;
import dev.escapement.kubernetes.store.KubernetesStore;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a real API server and its schema make of the refusal. */
@ExtendWith(ClusterExtension.class)
class UnreadableTest {

    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private final KubernetesClient admin;
    private final String namespace;
    private final ItemView<WorkflowExecution> executions = new ItemView<>();
    private final ItemView<RemediationTarget> targets = new ItemView<>();
    private final List<Transition> told = new ArrayList<>();
    private final Unreadable unreadable;

    UnreadableTest(TestCluster cluster) {
        this.admin = cluster.admin();
        ClusterPorts.install(admin);
        this.namespace = cluster.freshNamespace("unreadable");
        this.unreadable = unreadable(admin);
    }

    private Unreadable unreadable(KubernetesClient client) {
        ExecutionStore store = new KubernetesStore(client, executions, targets);
        return new Unreadable(new TellingStore(store, executions, told::add, told::add), targets, () -> NOW);
    }

    private WorkflowExecution created(String name) {
        WorkflowExecution asked = new WorkflowExecution();
        asked.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        asked.setSpec(Map.of("workflowRef", Map.of("workflowId", "repair"), "targetResource", "node/worker-1"));
        return admin.resource(asked).create();
    }

    private WorkflowExecution with(WorkflowExecution resource, Map<String, Object> status) {
        resource.setStatus(status);
        return admin.resource(resource).updateStatus();
    }

    private WorkflowExecution stored(WorkflowExecution resource) {
        return admin.resource(resource).require();
    }

    private static Map<?, ?> failure(WorkflowExecution resource) {
        return (Map<?, ?>) Objects.requireNonNull(resource.getStatus().get("failureDetails"));
    }

    @Test
    void whatCannotBeReadFailsAndSaysWhy() {
        WorkflowExecution made = created("odd");

        unreadable.refuse(made, "parameters.DEPTH is no text");

        WorkflowExecution refused = stored(made);
        assertThat(refused.getStatus())
                .containsEntry("phase", "Failed")
                .containsEntry("outcome", "Failed")
                .containsEntry("completionTime", NOW.toString());
        assertThat(failure(refused).get("reason")).isEqualTo("ValidationError");
        assertThat(failure(refused).get("message")).isEqualTo("parameters.DEPTH is no text");
        assertThat(failure(refused).get("wasExecutionFailure")).isEqualTo(false);
        assertThat(failure(refused).get("requiresManualReview")).isEqualTo(false);
        assertThat(executions.get(namespace, "odd"))
                .hasValueSatisfying(known -> assertThat(known.getStatus()).isEqualTo(refused.getStatus()));
    }

    /** Or whoever waits for it with kubectl waits for ever, and nobody counts it. */
    @Test
    void thatItIsOverIsSeenByWhoeverWaitsOrListens() {
        WorkflowExecution made = created("odd");

        unreadable.refuse(made, "odd");

        assertThat(stored(made).getStatus().get("conditions"))
                .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                .extracting(condition -> condition.get("type") + "=" + condition.get("status"))
                .containsExactly("Succeeded=False", "Finished=True");
        assertThat(told).singleElement().satisfies(transition -> {
            assertThat(transition.type()).isEqualTo(TransitionType.WorkflowFailed);
            assertThat(transition.target()).isEqualTo("node/worker-1");
            assertThat(transition.reason()).isEqualTo("ValidationError");
        });
    }

    @Test
    void theTargetThatItHoldsIsReleasedAndBlocked() {
        WorkflowExecution made = created("holds");
        ExecutionRef ref =
                new ExecutionRef(namespace, "holds", made.getMetadata().getUid());
        Target target = Target.parse("node/" + namespace);
        ExecutionStore store = new KubernetesStore(admin, executions, targets);
        Holder holder = new Holder(ref, "repair", "u-1", "job/some", NOW);
        LedgerEntry held = LedgerEntry.initial(target).acquire(holder);
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(store.readCurrentEntry(target), held, NOW))))
                .isTrue();

        Versioned<Execution> failed = unreadable.refuse(made, "odd").orElseThrow();
        new Engine(store, new NoRunner(), () -> Policy.DEFAULT).advance(failed, NOW);

        LedgerEntry released = store.readCurrentEntry(target).value();
        assertThat(released.heldBy(ref)).isEmpty();
        assertThat(released.memory().workflows())
                .hasEntrySatisfying(
                        "repair", memory -> assertThat(memory.block()).isPresent());
        assertThat(unreadable.refuse(stored(made), "odd"))
                .as("nothing is left to do")
                .isEmpty();
    }

    @Test
    void whatHadARunMayHaveRun() {
        Map<String, Object> running = new LinkedHashMap<>();
        running.put("phase", "Running");
        running.put("pipelineRunRef", Map.of("name", "job/some", "uid", "u-1"));
        WorkflowExecution made = with(created("ran"), running);

        unreadable.refuse(made, "it was changed by hand");

        assertThat(failure(stored(made)).get("wasExecutionFailure")).isEqualTo(true);
        assertThat(failure(stored(made)).get("requiresManualReview")).isEqualTo(true);
    }

    @Test
    void whatIsFinalStaysAsItIs() {
        WorkflowExecution made = with(created("over"), Map.of("phase", "Completed", "outcome", "Success"));

        unreadable.refuse(made, "it was changed by hand");

        assertThat(stored(made).getMetadata().getResourceVersion())
                .isEqualTo(made.getMetadata().getResourceVersion());
    }

    /** Whoever changed it, or deleted it, wakes us again. */
    @Test
    void anOldViewIsNoTrouble() {
        WorkflowExecution made = created("changed");
        WorkflowExecution changed = with(stored(made), Map.of("phase", "Pending"));

        unreadable.refuse(made, "odd");
        assertThat(stored(made).getStatus()).isEqualTo(changed.getStatus());
        admin.resource(changed).delete();
        unreadable.refuse(changed, "odd");

        assertThat(admin.resource(made).get()).isNull();
    }

    @Test
    void anApiServerThatDoesNotAnswerIsTrouble() {
        WorkflowExecution made = created("later");
        Config nobody = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient away = ApiServer.open(nobody, (method, code) -> {})) {
            Unreadable lost = unreadable(away);

            assertThatThrownBy(() -> lost.refuse(made, "odd")).isInstanceOf(KubernetesClientException.class);
        }
        assertThat(stored(made).getStatus()).isNull();
    }
}
