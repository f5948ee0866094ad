package dev.escapement.kubernetes.operator;

import static dev.escapement.engine.contract.ExecutionSamples.NODE;
import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.blockedEntry;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static org.assertj.core.api.Assertions.assertThat;

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
import dev.escapement.kubernetes.store.ItemView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForgettingTest {

    private static final Execution FIRST = execution(1);
    private static final Execution SECOND = execution("ops", 2, "other", NODE.canonical());

    private final ContractPorts ports = SimulatedPorts.withoutFaults(false);
    private final ExecutionStore store = ports.store();
    private Policy rules = Policy.DEFAULT;
    private final Forgetting forgetting = new Forgetting(new ItemView<>(), store, () -> rules);

    private Versioned<LedgerEntry> stored(LedgerEntry entry) {
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(store.readEntry(NODE), entry, NOW))))
                .isTrue();
        return store.readEntry(NODE);
    }

    private boolean isBlocked() {
        return store.readEntry(NODE).value().memory().workflows().values().stream()
                .anyMatch(memory -> memory.block().isPresent());
    }

    @Test
    void whatIsRememberedOfAMissingExecutionIsForgotten() {
        assertThat(forgetting.forgetMissing(stored(blockedEntry(FIRST)), NOW)).isTrue();

        assertThat(isBlocked()).isFalse();
    }

    /** The view may be behind: only the API server can say that it is gone. */
    @Test
    void anExecutionThatOnlyTheViewDoesNotKnowIsNotForgotten() {
        ports.create(FIRST);

        assertThat(forgetting.forgetMissing(stored(blockedEntry(FIRST)), NOW)).isTrue();

        assertThat(isBlocked()).isTrue();
    }

    @Test
    void onlyTheMissingOneIsForgotten() {
        ports.create(FIRST);
        LedgerEntry both = heldEntry(blockedEntry(FIRST), SECOND)
                .release(new ExecutionOutcome.FailedDuringExecution("TaskFailed"), NOW);

        forgetting.forgetMissing(stored(both), NOW);

        assertThat(store.readEntry(NODE).value().memory().workflows()).containsOnlyKeys(FIRST.workflowId());
    }

    @Test
    void failuresToStartAreForgottenToo() {
        var held = heldEntry(FIRST);
        LedgerEntry failing = held.release(held.failedStartOutcome("ImagePullBackOff", NOW, rules), NOW);

        forgetting.forgetMissing(stored(failing), NOW);

        assertThat(store.readEntry(NODE).value().memory().hasFailures()).isFalse();
    }

    /** It was lost by its deletion: to forget it for the same deletion would undo what was recorded. */
    @Test
    void whatWasRecordedAfterTheDeletionStays() {
        forgetting.forgetMissing(stored(heldEntry(FIRST).release(new ExecutionOutcome.Lost(), NOW)), NOW);

        assertThat(isBlocked()).isTrue();
    }

    @Test
    void nothingIsForgottenIfTheRulesHaveItSo() {
        rules = PolicyText.parse(Map.of("reset-on-delete", "false"));
        Versioned<LedgerEntry> seen = stored(blockedEntry(FIRST));

        assertThat(forgetting.forgetMissing(seen, NOW)).isTrue();
        assertThat(forgetting.forget(FIRST.ref(), NODE, NOW)).isTrue();

        assertThat(store.readEntry(NODE)).isEqualTo(seen);
    }

    @Test
    void nothingIsWrittenIfThereIsNothingToForget() {
        ports.create(FIRST);
        Versioned<LedgerEntry> seen = stored(blockedEntry(FIRST));

        forgetting.forgetMissing(seen, NOW);
        forgetting.forget(SECOND.ref(), NODE, NOW);

        assertThat(store.readEntry(NODE).version()).isEqualTo(seen.version());
    }

    @Test
    void aDeletedExecutionIsForgotten() {
        stored(blockedEntry(FIRST));

        assertThat(forgetting.forget(FIRST.ref(), NODE, NOW)).isTrue();

        assertThat(isBlocked()).isFalse();
    }

    @Test
    void whoeverWasInBetweenWins() {
        Versioned<LedgerEntry> old = stored(blockedEntry(FIRST));
        stored(heldEntry(blockedEntry(FIRST), SECOND));

        assertThat(forgetting.forgetMissing(old, NOW)).isFalse();

        assertThat(store.readEntry(NODE).value().heldBy(SECOND.ref())).isPresent();
    }
}
