package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.common.Json;
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
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.event.DeletionActors;
import dev.escapement.kubernetes.event.EventPublishingStore;
import dev.escapement.kubernetes.event.EventReplayer;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
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

/** Checks the status of invalid executions against the schema of a real API server. */
@ExtendWith(ClusterExtension.class)
class InvalidExecutionHandlerIT {

    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private final KubernetesClient admin;
    private final String namespace;
    private final ResourceCache<WorkflowExecutionResource> executions = new ResourceCache<>();
    private final ResourceCache<RemediationTargetResource> targets = new ResourceCache<>();
    private final List<Transition> published = new ArrayList<>();
    private final InvalidExecutionHandler handler;

    InvalidExecutionHandlerIT(TestCluster cluster) {
        this.admin = cluster.admin();
        KubernetesPorts.installCrds(admin);
        this.namespace = cluster.createNamespace("unreadable");
        this.handler = newHandler(admin);
    }

    private ExecutionStore newStore(KubernetesClient client) {
        return new KubernetesExecutionStore(
                new ResourceWriter<>(client, WorkflowExecutionResource.class, executions),
                new ResourceWriter<>(client, RemediationTargetResource.class, targets),
                () -> Policy.DEFAULT);
    }

    private InvalidExecutionHandler newHandler(KubernetesClient client) {
        ExecutionStore store = newStore(client);
        DeletionActors deletions = new DeletionActors();
        EventReplayer replayer =
                new EventReplayer(executions, targets, store::readExecution, published::add, deletions, () -> NOW);
        return new InvalidExecutionHandler(
                new EventPublishingStore(
                        store,
                        executions,
                        published::add,
                        published::add,
                        execution -> {},
                        replayer::publishRelease,
                        deletions),
                targets,
                () -> NOW);
    }

    private WorkflowExecutionResource createExecution(String name) {
        WorkflowExecutionResource resource = new WorkflowExecutionResource();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        resource.setSpec(Json.fromMap(
                Map.of("workflowRef", Map.of("workflowId", "repair"), "targetResource", "node/worker-1"),
                WorkflowExecutionSpec.class));
        return admin.resource(resource).create();
    }

    private WorkflowExecutionResource updateStatus(WorkflowExecutionResource resource, Map<String, Object> status) {
        resource.setStatus(Json.fromMap(status, WorkflowExecutionStatus.class));
        return admin.resource(resource).updateStatus();
    }

    private WorkflowExecutionResource fetch(WorkflowExecutionResource resource) {
        return admin.resource(resource).require();
    }

    private static Map<String, Object> statusMap(WorkflowExecutionResource resource) {
        return Json.toMap(resource.getStatus());
    }

    private static Map<?, ?> failureDetails(WorkflowExecutionResource resource) {
        return (Map<?, ?>) Objects.requireNonNull(statusMap(resource).get("failureDetails"));
    }

    @Test
    void failsInvalidExecutionWithReason() {
        WorkflowExecutionResource execution = createExecution("odd");

        handler.failExecution(execution, "parameters.DEPTH is not a string");

        WorkflowExecutionResource refused = fetch(execution);
        assertThat(statusMap(refused))
                .containsEntry("phase", "Failed")
                .containsEntry("outcome", "Failed")
                .containsEntry("completionTime", NOW.toString());
        assertThat(failureDetails(refused).get("reason")).isEqualTo("ValidationError");
        assertThat(failureDetails(refused).get("message")).isEqualTo("parameters.DEPTH is not a string");
        assertThat(failureDetails(refused).get("wasExecutionFailure")).isEqualTo(false);
        assertThat(failureDetails(refused).get("requiresManualReview")).isEqualTo(false);
        assertThat(executions.get(namespace, "odd"))
                .hasValueSatisfying(cached -> assertThat(cached.getStatus()).isEqualTo(refused.getStatus()));
    }

    /** kubectl wait needs the conditions, and metrics count the transition. */
    @Test
    void setsConditionsAndPublishesFailure() {
        WorkflowExecutionResource execution = createExecution("odd");

        handler.failExecution(execution, "odd");

        assertThat(statusMap(fetch(execution)).get("conditions"))
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
        WorkflowExecutionResource execution = createExecution("holds");
        ExecutionRef ref =
                new ExecutionRef(namespace, "holds", execution.getMetadata().getUid());
        Target target = Target.parse("node/" + namespace);
        ExecutionStore store = newStore(admin);
        Holder holder = new Holder(ref, "repair", "u-1", "job/some", NOW);
        LedgerEntry held = LedgerEntry.initial(target).acquire(holder);
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(store.readCurrentEntry(target), held, NOW))))
                .isTrue();

        Versioned<Execution> failed = handler.failExecution(execution, "odd").orElseThrow();
        new Engine(store, new UnsupportedRunner(), () -> Policy.DEFAULT).advance(failed, NOW);

        LedgerEntry released = store.readCurrentEntry(target).value();
        assertThat(released.heldBy(ref)).isEmpty();
        assertThat(released.memory().workflows())
                .hasEntrySatisfying(
                        "repair", memory -> assertThat(memory.block()).isPresent());
        assertThat(handler.failExecution(fetch(execution), "odd"))
                .as("already failed")
                .isEmpty();
    }

    @Test
    void countsExecutionWithRunAsExecutionFailure() {
        Map<String, Object> running = new LinkedHashMap<>();
        running.put("phase", "Running");
        running.put("pipelineRunRef", Map.of("name", "job/some", "uid", "u-1"));
        WorkflowExecutionResource execution = updateStatus(createExecution("ran"), running);

        handler.failExecution(execution, "it was changed by hand");

        assertThat(failureDetails(fetch(execution)).get("wasExecutionFailure")).isEqualTo(true);
        assertThat(failureDetails(fetch(execution)).get("requiresManualReview")).isEqualTo(true);
    }

    @Test
    void doesNotChangeFinalStatus() {
        WorkflowExecutionResource execution =
                updateStatus(createExecution("over"), Map.of("phase", "Completed", "outcome", "Success"));

        handler.failExecution(execution, "it was changed by hand");

        assertThat(fetch(execution).getMetadata().getResourceVersion())
                .isEqualTo(execution.getMetadata().getResourceVersion());
    }

    /** The change or the deletion triggers the next reconciliation. */
    @Test
    void ignoresStaleResource() {
        WorkflowExecutionResource execution = createExecution("changed");
        WorkflowExecutionResource changed = updateStatus(fetch(execution), Map.of("phase", "Pending"));

        handler.failExecution(execution, "odd");
        assertThat(fetch(execution).getStatus()).isEqualTo(changed.getStatus());
        admin.resource(changed).delete();
        handler.failExecution(changed, "odd");

        assertThat(admin.resource(execution).get()).isNull();
    }

    @Test
    void throwsWhenApiServerIsUnreachable() {
        WorkflowExecutionResource execution = createExecution("later");
        Config unreachable = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient unreachableClient = KubernetesClients.open(unreachable, (method, code) -> {})) {
            InvalidExecutionHandler disconnected = newHandler(unreachableClient);

            assertThatThrownBy(() -> disconnected.failExecution(execution, "odd"))
                    .isInstanceOf(KubernetesClientException.class);
        }
        assertThat(fetch(execution).getStatus()).isNull();
    }
}
