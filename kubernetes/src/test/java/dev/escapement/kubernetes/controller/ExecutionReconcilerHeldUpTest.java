package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.governor.Policy;
import dev.escapement.kubernetes.cache.InformerStore;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repeated refusals by the API server are reported on the execution. */
class ExecutionReconcilerHeldUpTest {

    private final RuntimeException refusal = clientException(500, "a webhook is unreachable");
    private final RuntimeException conflict = clientException(409, "the object was modified");

    private final InformerStore<WorkflowExecutionResource> executions = new InformerStore<>();
    private final List<String> heldUpReports = new ArrayList<>();
    private final ExecutionStore store = new FailingStore(this::failure);
    private RuntimeException failure = refusal;
    private final ExecutionReconciler reconciler = new ExecutionReconciler(
            executions,
            new Engine(store, new UnsupportedRunner(), () -> Policy.DEFAULT),
            new InvalidExecutionHandler(store, new InformerStore<>(), () -> ExecutionSamples.NOW),
            new SimpleInboundEventSource<>("runs"),
            () -> ExecutionSamples.NOW,
            (execution, message) -> heldUpReports.add(execution.getMetadata().getName() + ": " + message));

    private static RuntimeException clientException(int code, String message) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage(message).build());
    }

    @BeforeEach
    void putExecution() {
        executions.put("ops/e1", newExecution());
    }

    private RuntimeException failure() {
        return failure;
    }

    private static WorkflowExecutionResource newExecution() {
        WorkflowExecutionResource resource = ExecutionCodec.newResource(ExecutionSamples.execution(1));
        resource.getMetadata().setUid("uid");
        resource.getMetadata().setResourceVersion("1");
        resource.getMetadata().setCreationTimestamp(ExecutionSamples.NOW.toString());
        return resource;
    }

    private Duration reconcile(RuntimeException nextFailure) {
        failure = nextFailure;
        return reconciler.reconcileById(new ResourceID("e1", "ops")).orElseThrow();
    }

    private void reconcileRefused(int times) {
        for (int time = 0; time < times; time++) {
            reconcile(refusal);
        }
    }

    @Test
    void reportsHeldUpOnSixthRefusal() {
        reconcileRefused(5);
        assertThat(heldUpReports).isEmpty();
        reconcileRefused(1);
        assertThat(heldUpReports).containsExactly("e1: a webhook is unreachable");
    }

    @Test
    void countsRefusalsAcrossConflicts() {
        reconcileRefused(5);
        reconcile(conflict);
        reconcile(conflict);
        reconcileRefused(1);
        assertThat(heldUpReports).hasSize(1);
    }

    /** The API server deletes Events after an hour. */
    @Test
    void reportsHeldUpAgainEverySixRefusals() {
        reconcileRefused(18);
        assertThat(heldUpReports).hasSize(3);
    }

    @Test
    void resetsRetriesForNewExecutionOfSameName() {
        reconcileRefused(5);
        assertThat(reconcile(conflict)).isGreaterThan(Duration.ofSeconds(1));
        executions.onDelete(reconciler::onDeleted);
        executions.remove("ops/e1");
        executions.put("ops/e1", newExecution());
        assertThat(reconcile(conflict)).isLessThan(Duration.ofMillis(200));
        reconcileRefused(5);
        assertThat(heldUpReports).isEmpty();
    }
}
