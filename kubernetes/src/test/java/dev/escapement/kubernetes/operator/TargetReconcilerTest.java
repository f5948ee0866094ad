package dev.escapement.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.contract.Samples;
import dev.escapement.governor.Policy;
import dev.escapement.kubernetes.resource.EntryCodec;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.ItemView;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import org.junit.jupiter.api.Test;

class TargetReconcilerTest {

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
            new SimpleInboundEventSource<>("runs"),
            () -> Samples.NOW);

    private RemediationTarget entry() {
        RemediationTarget resource = EntryCodec.replace("1", Samples.held(Samples.execution(1)));
        resource.getMetadata().setUid("uid");
        return resource;
    }

    @SuppressWarnings("NullAway") // It has no use for a context.
    private long look() {
        return reconciler.reconcile(entry(), null).getScheduleDelay().orElseThrow();
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
