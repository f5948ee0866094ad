package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.mapping.TargetState;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TargetReconcilerTest {

    private Instant now = ExecutionSamples.NOW;
    private boolean clearancePublished = true;
    private final ResourceCache<RemediationTargetResource> targets = new ResourceCache<>();
    private final ResourceCache<WorkflowExecutionResource> executions = new ResourceCache<>();
    private final FailingStore store = new FailingStore(() -> new IllegalStateException("the store is unavailable"));
    private final Engine engine = new Engine(store, new UnsupportedRunner(), () -> Policy.DEFAULT);
    private final TargetReconciler reconciler =
            new TargetReconciler(targets, executions, engine, run -> {}, entry -> clearancePublished, () -> now);

    private WorkResult reconcile(RemediationTargetResource resource) {
        return reconciler.reconcile(
                resource.getMetadata().getName(), resource.getMetadata().getUid());
    }

    /** The clearance is stored only in the entry. */
    @Test
    void keepsIdleEntryUntilClearanceIsPublished() {
        LedgerEntry cleared = ExecutionSamples.blockedEntry(ExecutionSamples.execution(1))
                .clear(new Clearance("anna", "looked", ExecutionSamples.NOW))
                .orElseThrow();
        RemediationTargetResource resource = RemediationTargetResource.updatedResource("1", cleared);
        resource.getMetadata().setUid("uid");
        targets.put(resource.getMetadata().getName(), resource);
        now = ExecutionSamples.NOW.plus(Duration.ofDays(1));
        clearancePublished = false;
        assertThat(reconcile(resource))
                .describedAs("requeued without a write")
                .isEqualTo(WorkResult.after(Duration.ofSeconds(1)));
        clearancePublished = true;
        assertThatThrownBy(() -> reconcile(resource)).hasMessage("the store is unavailable");
    }

    private RemediationTargetResource storeFailedStart() {
        Held held = ExecutionSamples.heldEntry(ExecutionSamples.execution(1));
        Free failed = held.release(held.failedStartOutcome("Forbidden", now, Policy.DEFAULT), now);
        WorkflowExecutionResource execution = WorkflowExecutionResource.newResource(ExecutionSamples.execution(1));
        execution.getMetadata().setUid(ExecutionSamples.execution(1).ref().uid());
        execution.getMetadata().setResourceVersion("1");
        executions.put("ops/e1", execution);
        RemediationTargetResource resource = RemediationTargetResource.updatedResource("1", failed);
        resource.getMetadata().setUid("uid");
        resource.setStatus(TargetState.of(failed, Policy.DEFAULT, now).addTo(resource.getStatus()));
        targets.put(resource.getMetadata().getName(), resource);
        return resource;
    }

    /** The columns of kubectl show what is stored. */
    @Test
    void writesStateWhenItsTimeHasPassedAndNotBefore() {
        RemediationTargetResource resource = storeFailedStart();
        Instant end = Instant.parse(resource.getStatus().until());
        assertThat(resource.getStatus().state()).isEqualTo("BackingOff");
        assertThat(reconcile(resource))
                .isEqualTo(WorkResult.after(Duration.between(now, end).plusMillis(1)));
        now = end;
        assertThatThrownBy(() -> reconcile(resource)).hasMessage("the store is unavailable");
    }

    @Test
    void writesStateOfOlderVersion() {
        RemediationTargetResource resource = storeFailedStart();
        resource.setStatus(resource.getStatus().withState("Free", null));
        assertThatThrownBy(() -> reconcile(resource)).hasMessage("the store is unavailable");
    }

    @Test
    void doesNothingForEarlierEntryOfSameName() {
        RemediationTargetResource resource = RemediationTargetResource.updatedResource(
                "1", ExecutionSamples.heldEntry(ExecutionSamples.execution(1)));
        String name = resource.getMetadata().getName();
        resource.getMetadata().setUid("second");
        targets.put(name, resource);
        assertThat(reconciler.reconcile(name, "first")).isEqualTo(WorkResult.DONE);
        assertThatThrownBy(() -> reconcile(resource)).hasMessage("the store is unavailable");
    }
}
