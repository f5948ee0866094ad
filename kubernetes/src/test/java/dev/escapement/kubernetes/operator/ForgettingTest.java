package dev.escapement.kubernetes.operator;

import static dev.escapement.engine.contract.Samples.NODE;
import static dev.escapement.engine.contract.Samples.NOW;
import static dev.escapement.engine.contract.Samples.blocked;
import static dev.escapement.engine.contract.Samples.execution;
import static dev.escapement.engine.contract.Samples.held;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.Ports;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.engine.sim.SimulatedPorts;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.kubernetes.store.ItemView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForgettingTest {

    private static final Execution FIRST = execution(1);
    private static final Execution SECOND = execution("ops", 2, "other", NODE.canonical());

    private final Ports ports = SimulatedPorts.quiet(false);
    private final Store store = ports.store();
    private Policy rules = Policy.DEFAULT;
    private final Forgetting forgetting = new Forgetting(new ItemView<>(), store, () -> rules);

    private Versioned<LedgerEntry> stored(LedgerEntry entry) {
        assertThat(store.apply(List.of(new Write.Entry(store.entry(NODE), entry, NOW))))
                .isTrue();
        return store.entry(NODE);
    }

    private boolean isBlocked() {
        return store.entry(NODE).value().memory().workflows().values().stream()
                .anyMatch(memory -> memory.block().isPresent());
    }

    @Test
    void whatIsRememberedOfAMissingExecutionIsForgotten() {
        assertThat(forgetting.forgetMissing(stored(blocked(FIRST)), NOW)).isTrue();

        assertThat(isBlocked()).isFalse();
    }

    /** The view may be behind: only the API server can say that it is gone. */
    @Test
    void anExecutionThatOnlyTheViewDoesNotKnowIsNotForgotten() {
        ports.create(FIRST);

        assertThat(forgetting.forgetMissing(stored(blocked(FIRST)), NOW)).isTrue();

        assertThat(isBlocked()).isTrue();
    }

    @Test
    void onlyTheMissingOneIsForgotten() {
        ports.create(FIRST);
        LedgerEntry both = held(blocked(FIRST), SECOND).release(new Outcome.FailedDuringExecution("TaskFailed"), NOW);

        forgetting.forgetMissing(stored(both), NOW);

        assertThat(store.entry(NODE).value().memory().workflows()).containsOnlyKeys(FIRST.workflow());
    }

    @Test
    void failuresToStartAreForgottenToo() {
        var held = held(FIRST);
        LedgerEntry failing = held.release(held.couldNotStart("ImagePullBackOff", NOW, rules), NOW);

        forgetting.forgetMissing(stored(failing), NOW);

        assertThat(store.entry(NODE).value().memory().hasFailures()).isFalse();
    }

    /** It was lost by its deletion: to forget it for the same deletion would undo what was recorded. */
    @Test
    void whatWasRecordedAfterTheDeletionStays() {
        forgetting.forgetMissing(stored(held(FIRST).release(new Outcome.Lost(), NOW)), NOW);

        assertThat(isBlocked()).isTrue();
    }

    @Test
    void nothingIsForgottenIfTheRulesHaveItSo() {
        rules = PolicyText.parse(Map.of("reset-on-delete", "false"));
        Versioned<LedgerEntry> seen = stored(blocked(FIRST));

        assertThat(forgetting.forgetMissing(seen, NOW)).isTrue();
        assertThat(forgetting.forget(FIRST.ref(), NODE, NOW)).isTrue();

        assertThat(store.entry(NODE)).isEqualTo(seen);
    }

    @Test
    void nothingIsWrittenIfThereIsNothingToForget() {
        ports.create(FIRST);
        Versioned<LedgerEntry> seen = stored(blocked(FIRST));

        forgetting.forgetMissing(seen, NOW);
        forgetting.forget(SECOND.ref(), NODE, NOW);

        assertThat(store.entry(NODE).version()).isEqualTo(seen.version());
    }

    @Test
    void aDeletedExecutionIsForgotten() {
        stored(blocked(FIRST));

        assertThat(forgetting.forget(FIRST.ref(), NODE, NOW)).isTrue();

        assertThat(isBlocked()).isFalse();
    }

    @Test
    void whoeverWasInBetweenWins() {
        Versioned<LedgerEntry> old = stored(blocked(FIRST));
        stored(held(blocked(FIRST), SECOND));

        assertThat(forgetting.forgetMissing(old, NOW)).isFalse();

        assertThat(store.entry(NODE).value().heldBy(SECOND.ref())).isPresent();
    }
}
