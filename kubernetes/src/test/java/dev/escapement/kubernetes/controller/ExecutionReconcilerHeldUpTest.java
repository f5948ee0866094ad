package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repeated refusals by the API server are reported on the execution. */
class ExecutionReconcilerHeldUpTest {

    private final RuntimeException refusal = clientException(500, "a webhook is unreachable");
    private final RuntimeException conflict = clientException(409, "the object was modified");

    private final ResourceCache<WorkflowExecutionResource> executions = new ResourceCache<>();
    private final List<String> heldUpReports = new ArrayList<>();
    private final ExecutionStore store = new FailingStore(this::failure);
    private RuntimeException failure = refusal;
    private final ExecutionReconciler reconciler = new ExecutionReconciler(
            executions,
            new Engine(store, new UnsupportedRunner(), () -> Policy.DEFAULT),
            new InvalidExecutionHandler(store, new ResourceCache<>(), () -> ExecutionSamples.NOW),
            () -> ExecutionSamples.NOW,
            (execution, message) -> heldUpReports.add(execution.getMetadata().getName() + ": " + message));

    private static RuntimeException clientException(int code, String message) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage(message).build());
    }

    @BeforeEach
    void putExecution() {
        executions.put("ops/e1", newExecution("first"));
    }

    private RuntimeException failure() {
        return failure;
    }

    private static WorkflowExecutionResource newExecution(String uid) {
        WorkflowExecutionResource resource = WorkflowExecutionResource.newResource(ExecutionSamples.execution(1));
        resource.getMetadata().setUid(uid);
        resource.getMetadata().setResourceVersion("1");
        resource.getMetadata().setCreationTimestamp(ExecutionSamples.NOW.toString());
        return resource;
    }

    private void reconcile(RuntimeException nextFailure) {
        reconcile("first", nextFailure);
    }

    private void reconcile(String uid, RuntimeException nextFailure) {
        failure = nextFailure;
        assertThatThrownBy(() -> reconciler.reconcile(new ExecutionRef("ops", "e1", uid)))
                .isSameAs(nextFailure);
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
    void doesNotCountRefusalsOfEarlierExecutionOfSameName() {
        reconcileRefused(5);
        executions.remove("ops/e1");
        executions.put("ops/e1", newExecution("second"));
        for (int time = 0; time < 5; time++) {
            reconcile("second", refusal);
        }
        assertThat(heldUpReports).isEmpty();
        reconcile("second", refusal);
        assertThat(heldUpReports).hasSize(1);
    }

    @Test
    void doesNothingForEarlierExecutionOfSameName() {
        executions.put("ops/e1", newExecution("second"));
        assertThat(reconciler.reconcile(new ExecutionRef("ops", "e1", "first"))).isEqualTo(WorkResult.DONE);
    }
}
