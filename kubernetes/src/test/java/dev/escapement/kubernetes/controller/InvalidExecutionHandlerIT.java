package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.escapement.kubernetes.cache.InformerStore;
import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.event.EventPublishingStore;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.KubernetesExecutionStore;
import dev.escapement.kubernetes.store.KubernetesPorts;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
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
class InvalidExecutionHandlerIT {

    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private final KubernetesClient admin;
    private final String namespace;
    private final InformerStore<WorkflowExecution> executions = new InformerStore<>();
    private final InformerStore<RemediationTarget> targets = new InformerStore<>();
    private final List<Transition> published = new ArrayList<>();
    private final InvalidExecutionHandler handler;

    InvalidExecutionHandlerIT(TestCluster cluster) {
        this.admin = cluster.admin();
        KubernetesPorts.installCrds(admin);
        this.namespace = cluster.createNamespace("unreadable");
        this.handler = newHandler(admin);
    }

    private InvalidExecutionHandler newHandler(KubernetesClient client) {
        ExecutionStore store = new KubernetesExecutionStore(client, executions, targets);
        return new InvalidExecutionHandler(
                new EventPublishingStore(store, executions, published::add, published::add), targets, () -> NOW);
    }

    private WorkflowExecution createExecution(String name) {
        WorkflowExecution asked = new WorkflowExecution();
        asked.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        asked.setSpec(Map.of("workflowRef", Map.of("workflowId", "repair"), "targetResource", "node/worker-1"));
        return admin.resource(asked).create();
    }

    private WorkflowExecution updateStatus(WorkflowExecution resource, Map<String, Object> status) {
        resource.setStatus(status);
        return admin.resource(resource).updateStatus();
    }

    private WorkflowExecution fetch(WorkflowExecution resource) {
        return admin.resource(resource).require();
    }

    private static Map<?, ?> failureDetails(WorkflowExecution resource) {
        return (Map<?, ?>) Objects.requireNonNull(resource.getStatus().get("failureDetails"));
    }

    @Test
    void failsInvalidExecutionWithReason() {
        WorkflowExecution made = createExecution("odd");

        handler.failExecution(made, "parameters.DEPTH is no text");

        WorkflowExecution refused = fetch(made);
        assertThat(refused.getStatus())
                .containsEntry("phase", "Failed")
                .containsEntry("outcome", "Failed")
                .containsEntry("completionTime", NOW.toString());
        assertThat(failureDetails(refused).get("reason")).isEqualTo("ValidationError");
        assertThat(failureDetails(refused).get("message")).isEqualTo("parameters.DEPTH is no text");
        assertThat(failureDetails(refused).get("wasExecutionFailure")).isEqualTo(false);
        assertThat(failureDetails(refused).get("requiresManualReview")).isEqualTo(false);
        assertThat(executions.get(namespace, "odd"))
                .hasValueSatisfying(known -> assertThat(known.getStatus()).isEqualTo(refused.getStatus()));
    }

    /** Or whoever waits for it with kubectl waits for ever, and nobody counts it. */
    @Test
    void setsConditionsAndPublishesFailure() {
        WorkflowExecution made = createExecution("odd");

        handler.failExecution(made, "odd");

        assertThat(fetch(made).getStatus().get("conditions"))
                .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                .extracting(condition -> condition.get("type") + "=" + condition.get("status"))
                .containsExactly("Succeeded=False", "Finished=True");
        assertThat(published).singleElement().satisfies(transition -> {
            assertThat(transition.type()).isEqualTo(TransitionType.WorkflowFailed);
            assertThat(transition.target()).isEqualTo("node/worker-1");
            assertThat(transition.reason()).isEqualTo("ValidationError");
        });
    }

    @Test
    void releasesAndBlocksHeldTarget() {
        WorkflowExecution made = createExecution("holds");
        ExecutionRef ref =
                new ExecutionRef(namespace, "holds", made.getMetadata().getUid());
        Target target = Target.parse("node/" + namespace);
        ExecutionStore store = new KubernetesExecutionStore(admin, executions, targets);
        Holder holder = new Holder(ref, "repair", "u-1", "job/some", NOW);
        LedgerEntry held = LedgerEntry.initial(target).acquire(holder);
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(store.readCurrentEntry(target), held, NOW))))
                .isTrue();

        Versioned<Execution> failed = handler.failExecution(made, "odd").orElseThrow();
        new Engine(store, new UnsupportedRunner(), () -> Policy.DEFAULT).advance(failed, NOW);

        LedgerEntry released = store.readCurrentEntry(target).value();
        assertThat(released.heldBy(ref)).isEmpty();
        assertThat(released.memory().workflows())
                .hasEntrySatisfying(
                        "repair", memory -> assertThat(memory.block()).isPresent());
        assertThat(handler.failExecution(fetch(made), "odd"))
                .as("nothing is left to do")
                .isEmpty();
    }

    @Test
    void countsExecutionWithRunAsExecutionFailure() {
        Map<String, Object> running = new LinkedHashMap<>();
        running.put("phase", "Running");
        running.put("pipelineRunRef", Map.of("name", "job/some", "uid", "u-1"));
        WorkflowExecution made = updateStatus(createExecution("ran"), running);

        handler.failExecution(made, "it was changed by hand");

        assertThat(failureDetails(fetch(made)).get("wasExecutionFailure")).isEqualTo(true);
        assertThat(failureDetails(fetch(made)).get("requiresManualReview")).isEqualTo(true);
    }

    @Test
    void doesNotChangeFinalStatus() {
        WorkflowExecution made =
                updateStatus(createExecution("over"), Map.of("phase", "Completed", "outcome", "Success"));

        handler.failExecution(made, "it was changed by hand");

        assertThat(fetch(made).getMetadata().getResourceVersion())
                .isEqualTo(made.getMetadata().getResourceVersion());
    }

    /** Whoever changed it, or deleted it, wakes us again. */
    @Test
    void ignoresStaleResource() {
        WorkflowExecution made = createExecution("changed");
        WorkflowExecution changed = updateStatus(fetch(made), Map.of("phase", "Pending"));

        handler.failExecution(made, "odd");
        assertThat(fetch(made).getStatus()).isEqualTo(changed.getStatus());
        admin.resource(changed).delete();
        handler.failExecution(changed, "odd");

        assertThat(admin.resource(made).get()).isNull();
    }

    @Test
    void throwsWhenApiServerIsUnreachable() {
        WorkflowExecution made = createExecution("later");
        Config nobody = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient away = KubernetesClients.open(nobody, (method, code) -> {})) {
            InvalidExecutionHandler lost = newHandler(away);

            assertThatThrownBy(() -> lost.failExecution(made, "odd")).isInstanceOf(KubernetesClientException.class);
        }
        assertThat(fetch(made).getStatus()).isNull();
    }
}
