package dev.escapement.kubernetes.controller;

import static dev.escapement.engine.contract.ExecutionSamples.NODE;
import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.blockedEntry;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.sim.SimulatedPorts;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.ResourceCache;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeletedExecutionCleanupTest {

    private static final Execution FIRST = execution(1);
    private static final Execution SECOND = execution("ops", 2, "other", NODE.canonical());

    private final ContractPorts ports = SimulatedPorts.withoutFaults(false);
    private final ExecutionStore store = ports.store();
    private Policy policy = Policy.DEFAULT;
    private final TargetReconciler reconciler = new TargetReconciler(
            new ResourceCache<>(),
            new ResourceCache<>(),
            new Engine(store, new UnsupportedRunner(), () -> policy),
            run -> {},
            entry -> true,
            () -> NOW);

    private Versioned<LedgerEntry> storeEntry(LedgerEntry entry) {
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(store.readEntry(NODE), entry, NOW))))
                .isTrue();
        return store.readEntry(NODE);
    }

    private boolean isBlocked() {
        return store.readEntry(NODE).value().memory().workflows().values().stream()
                .anyMatch(memory -> memory.block().isPresent());
    }

    @Test
    void forgetsDeletedExecution() {
        assertThat(reconciler.forgetDeleted(storeEntry(blockedEntry(FIRST)))).isTrue();

        assertThat(isBlocked()).isFalse();
    }

    /** The cache may be stale: only the API server knows that an execution was deleted. */
    @Test
    void keepsExecutionMissingOnlyFromCache() {
        ports.create(FIRST);

        assertThat(reconciler.forgetDeleted(storeEntry(blockedEntry(FIRST)))).isTrue();

        assertThat(isBlocked()).isTrue();
    }

    @Test
    void forgetsOnlyDeletedExecution() {
        ports.create(FIRST);
        LedgerEntry both = heldEntry(blockedEntry(FIRST), SECOND)
                .release(new ExecutionOutcome.FailedDuringExecution("TaskFailed"), NOW);

        reconciler.forgetDeleted(storeEntry(both));

        assertThat(store.readEntry(NODE).value().memory().workflows()).containsOnlyKeys(FIRST.workflowId());
    }

    @Test
    void forgetsStartFailures() {
        var held = heldEntry(FIRST);
        LedgerEntry failing = held.release(held.failedStartOutcome("ImagePullBackOff", NOW, policy), NOW);

        reconciler.forgetDeleted(storeEntry(failing));

        assertThat(store.readEntry(NODE).value().memory().hasFailures()).isFalse();
    }

    /** The outcome was recorded because of the deletion, so the same deletion must not reset it. */
    @Test
    void keepsOutcomeRecordedAfterDeletion() {
        reconciler.forgetDeleted(storeEntry(heldEntry(FIRST).release(new ExecutionOutcome.Lost(), NOW)));

        assertThat(isBlocked()).isTrue();
    }

    @Test
    void forgetsNothingWhenResetOnDeleteIsOff() {
        policy = PolicyText.parse(Map.of("reset-on-delete", "false"));
        Versioned<LedgerEntry> seen = storeEntry(blockedEntry(FIRST));

        assertThat(reconciler.forgetDeleted(seen)).isTrue();
        assertThat(reconciler.forget(FIRST.ref(), NODE)).isTrue();

        assertThat(store.readEntry(NODE)).isEqualTo(seen);
    }

    @Test
    void writesNothingWhenNothingIsForgotten() {
        ports.create(FIRST);
        Versioned<LedgerEntry> seen = storeEntry(blockedEntry(FIRST));

        reconciler.forgetDeleted(seen);
        reconciler.forget(SECOND.ref(), NODE);

        assertThat(store.readEntry(NODE).version()).isEqualTo(seen.version());
    }

    @Test
    void forgetsGivenExecution() {
        storeEntry(blockedEntry(FIRST));

        assertThat(reconciler.forget(FIRST.ref(), NODE)).isTrue();

        assertThat(isBlocked()).isFalse();
    }

    @Test
    void returnsFalseOnConcurrentChange() {
        Versioned<LedgerEntry> old = storeEntry(blockedEntry(FIRST));
        storeEntry(heldEntry(blockedEntry(FIRST), SECOND));

        assertThat(reconciler.forgetDeleted(old)).isFalse();

        assertThat(store.readEntry(NODE).value().heldBy(SECOND.ref())).isPresent();
    }
}
