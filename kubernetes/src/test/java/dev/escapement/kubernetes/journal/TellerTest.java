package dev.escapement.kubernetes.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.resource.EntryCodec;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.ItemView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happened to a target is told by whoever sees it: an answer may be lost on its way to whoever did it. */
class TellerTest {

    private static final Execution FIRST = ExecutionSamples.execution(1);
    private static final Execution SECOND = ExecutionSamples.execution(2);
    private static final Held HELD = ExecutionSamples.heldEntry(FIRST);
    private static final LedgerEntry FREE = HELD.release(new ExecutionOutcome.Completed(), ExecutionSamples.NOW);

    private final ItemView<WorkflowExecution> executions = new ItemView<>();
    private final ItemView<RemediationTarget> targets = new ItemView<>();
    private final List<Transition> told = new ArrayList<>();
    private final Teller teller = new Teller(executions, targets, told::add, () -> ExecutionSamples.NOW);
    private int version;

    @BeforeEach
    void listen() {
        teller.listen();
        teller.start();
    }

    private void watched(LedgerEntry entry) {
        RemediationTarget resource = EntryCodec.replace(Integer.toString(++version), entry);
        resource.getMetadata().setUid("uid");
        targets.put(resource.getMetadata().getName(), resource);
    }

    private void watched(Execution execution) {
        WorkflowExecution resource = ExecutionCodec.status(execution, Integer.toString(++version));
        resource.getMetadata().setCreationTimestamp(execution.createdAt().toString());
        resource.setSpec(ExecutionCodec.request(execution).getSpec());
        execution
                .cancelledBy()
                .ifPresent(by -> resource.getMetadata().setAnnotations(Map.of(ExecutionDocument.CANCELLED_BY, by)));
        executions.put(execution.ref().toString(), resource);
    }

    private void removed() {
        targets.remove(ExecutionSamples.NODE.objectName());
    }

    private List<TransitionType> types() {
        return told.stream().map(Transition::type).toList();
    }

    @Test
    void aReleaseIsTold() {
        watched(HELD);
        assertThat(told).isEmpty();
        watched(FREE);
        assertThat(types()).containsExactly(TransitionType.LockReleased);
        assertThat(told.get(0).execution()).contains(FIRST.ref());
        assertThat(told.get(0).workflow()).isEqualTo("repair");
        watched(FREE);
        assertThat(told).hasSize(1);
    }

    @Test
    void itIsTheSameAsWhoeverReleasedItTells() {
        watched(HELD);
        watched(FREE);
        assertThat(Told.released(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST)), FREE)
                        .map(EventCodec::name))
                .contains(EventCodec.name(told.get(0)));
    }

    @Test
    void aReleaseIsToldAlsoIfSomebodyElseHasTakenTheTargetMeanwhile() {
        watched(HELD);
        watched(ExecutionSamples.heldEntry(SECOND));
        assertThat(types()).containsExactly(TransitionType.LockReleased);
        assertThat(told.get(0).execution()).contains(FIRST.ref());
    }

    @Test
    void aReleaseThatLeavesNothingIsToldToo() {
        watched(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST)));
        watched(HELD);
        told.clear();
        removed();
        assertThat(types()).containsExactly(TransitionType.LockReleased);
        assertThat(told.get(0).at())
                .isEqualTo(ExecutionSamples.completedStatus(FIRST).completionTime());
    }

    @Test
    void soIsThatOfAHolderThatIsGone() {
        watched(HELD);
        removed();
        assertThat(types()).containsExactly(TransitionType.LockReleased);
    }

    /** Somebody deleted the entry: whoever is at work gets it back. */
    @Test
    void anEntryThatIsTakenFromAHolderAtWorkIsNoRelease() {
        watched(FIRST.withStatus(ExecutionSamples.runningStatus(FIRST)));
        watched(HELD);
        told.clear();
        removed();
        assertThat(told).isEmpty();
    }

    @Test
    void anEntryThatNobodyHeldIsNoRelease() {
        watched(FREE);
        removed();
        assertThat(told).isEmpty();
    }

    /** Whoever cancels with kubectl leaves no time. */
    @Test
    void aCancellationOfLongAgoIsNotToldAgain() {
        watched(FIRST.cancelledBy("anna").withStatus(ExecutionSamples.completedStatus(FIRST)));
        told.clear();
        new Teller(executions, targets, told::add, () -> ExecutionSamples.NOW.plus(Duration.ofHours(2))).start();
        assertThat(told).isEmpty();
    }

    @Test
    void aClearanceIsToldAlsoOfATargetThatIsHeld() {
        Clearance clearance = new Clearance("anna", "looked", ExecutionSamples.NOW);
        LedgerEntry blocked = ExecutionSamples.blockedEntry(FIRST);
        watched(blocked);
        LedgerEntry cleared = blocked.clear(clearance).orElseThrow();
        watched(cleared);
        watched(ExecutionSamples.heldEntry((LedgerEntry.Free) cleared, SECOND));
        assertThat(types()).containsExactly(TransitionType.BlockCleared);
        assertThat(told.get(0)).isEqualTo(Told.cleared(cleared).orElseThrow());
    }

    @Test
    void aClearanceOfLongAgoIsNotToldAgain() {
        Clearance old = new Clearance("anna", "looked", ExecutionSamples.NOW.minus(Duration.ofHours(2)));
        watched(ExecutionSamples.blockedEntry(FIRST));
        watched(ExecutionSamples.blockedEntry(FIRST).clear(old).orElseThrow());
        assertThat(told).isEmpty();
    }

    @Test
    void whoeverDoesNotLeadTellsNothing() {
        List<Transition> silence = new ArrayList<>();
        Teller follower = new Teller(executions, targets, silence::add, () -> ExecutionSamples.NOW);
        follower.listen();
        watched(HELD);
        watched(FREE);
        assertThat(silence).isEmpty();
    }
}
