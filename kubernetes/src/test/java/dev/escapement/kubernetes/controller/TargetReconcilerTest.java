package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.InformerStore;
import dev.escapement.kubernetes.ledger.LedgerReset;
import dev.escapement.kubernetes.resource.LedgerEntryCodec;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TargetReconcilerTest {

    private Instant now = ExecutionSamples.NOW;
    private boolean clearancePublished = true;
    private final InformerStore<RemediationTargetResource> targets = new InformerStore<>();
    private final InformerStore<WorkflowExecutionResource> executions = new InformerStore<>();
    private final FailingStore store = new FailingStore(() -> new IllegalStateException("the store is unavailable"));
    private final TargetReconciler reconciler = new TargetReconciler(
            targets,
            executions,
            store,
            new Engine(store, new UnsupportedRunner(), () -> Policy.DEFAULT),
            new LedgerReset(executions, store, () -> Policy.DEFAULT),
            () -> Policy.DEFAULT,
            () -> true,
            entry -> clearancePublished,
            new SimpleInboundEventSource<>("runs"),
            () -> now);

    private RemediationTargetResource entry() {
        RemediationTargetResource resource =
                LedgerEntryCodec.updatedResource("1", ExecutionSamples.heldEntry(ExecutionSamples.execution(1)));
        resource.getMetadata().setUid("uid");
        return resource;
    }

    private long reconcile() {
        return reconcile(entry());
    }

    @SuppressWarnings("NullAway") // The context is not used.
    private long reconcile(RemediationTargetResource resource) {
        return reconciler.reconcile(resource, null).getScheduleDelay().orElseThrow();
    }

    /** The clearance is stored only in the entry. */
    @Test
    void keepsIdleEntryUntilClearanceIsPublished() {
        LedgerEntry cleared = ExecutionSamples.blockedEntry(ExecutionSamples.execution(1))
                .clear(new Clearance("anna", "looked", ExecutionSamples.NOW))
                .orElseThrow();
        RemediationTargetResource resource = LedgerEntryCodec.updatedResource("1", cleared);
        resource.getMetadata().setUid("uid");
        targets.put(resource.getMetadata().getName(), resource);
        now = ExecutionSamples.NOW.plus(Duration.ofDays(1));
        clearancePublished = false;
        assertThat(reconcile(resource)).describedAs("requeued without a write").isEqualTo(1_000);
        clearancePublished = true;
        assertThat(reconcile(resource))
                .describedAs("removal failed, will retry")
                .isLessThan(200);
    }

    @Test
    void resetsRetriesForNewEntryOfSameName() {
        String name = entry().getMetadata().getName();
        targets.onDelete(reconciler::onDeleted);
        targets.put(name, entry());
        for (int attempt = 0; attempt < 5; attempt++) {
            reconcile();
        }
        assertThat(reconcile()).isGreaterThan(1_000);
        targets.remove(name);
        targets.put(name, entry());
        assertThat(reconcile()).isLessThan(200);
    }
}
