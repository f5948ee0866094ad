package dev.escapement.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.resource.EntryCodec;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.ItemView;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TargetReconcilerTest {

    private Instant now = ExecutionSamples.NOW;
    private boolean told = true;
    private final ItemView<RemediationTarget> targets = new ItemView<>();
    private final ItemView<WorkflowExecution> executions = new ItemView<>();
    private final TroubledStore store = new TroubledStore(() -> new IllegalStateException("away"));
    private final TargetReconciler reconciler = new TargetReconciler(
            targets,
            executions,
            store,
            new Engine(store, new NoRunner(), () -> Policy.DEFAULT),
            new Forgetting(executions, store, () -> Policy.DEFAULT),
            () -> Policy.DEFAULT,
            () -> true,
            entry -> told,
            new SimpleInboundEventSource<>("runs"),
            () -> now);

    private RemediationTarget entry() {
        RemediationTarget resource = EntryCodec.replace("1", ExecutionSamples.heldEntry(ExecutionSamples.execution(1)));
        resource.getMetadata().setUid("uid");
        return resource;
    }

    private long look() {
        return look(entry());
    }

    @SuppressWarnings("NullAway") // It has no use for a context.
    private long look(RemediationTarget resource) {
        return reconciler.reconcile(resource, null).getScheduleDelay().orElseThrow();
    }

    /** Nothing else would remember the clearance. */
    @Test
    void anIdleEntryStaysUntilItsClearanceIsTold() {
        LedgerEntry cleared = ExecutionSamples.blockedEntry(ExecutionSamples.execution(1))
                .clear(new Clearance("anna", "looked", ExecutionSamples.NOW))
                .orElseThrow();
        RemediationTarget resource = EntryCodec.replace("1", cleared);
        resource.getMetadata().setUid("uid");
        targets.put(resource.getMetadata().getName(), resource);
        now = ExecutionSamples.NOW.plus(Duration.ofDays(1));
        told = false;
        assertThat(look(resource))
                .describedAs("not touched, and looked at again")
                .isEqualTo(1_000);
        told = true;
        assertThat(look(resource)).describedAs("tried, and the store is away").isLessThan(200);
    }

    @Test
    void anotherEntryOfTheSameNameBeginsAnew() {
        String name = entry().getMetadata().getName();
        targets.onDelete(reconciler::deleted);
        targets.put(name, entry());
        for (int attempt = 0; attempt < 5; attempt++) {
            look();
        }
        assertThat(look()).isGreaterThan(1_000);
        targets.remove(name);
        targets.put(name, entry());
        assertThat(look()).isLessThan(200);
    }
}
