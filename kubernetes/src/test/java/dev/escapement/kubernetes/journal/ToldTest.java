package dev.escapement.kubernetes.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToldTest {

    private static final Execution ASKED = ExecutionSamples.execution(1);

    private static List<TransitionType> types(Execution execution) {
        return Told.of(execution, ExecutionSamples.NOW).stream()
                .map(Transition::type)
                .toList();
    }

    @Test
    void aStatusImpliesTheLifeThatLedThere() {
        assertThat(types(ASKED)).containsExactly(TransitionType.WorkflowAccepted);
        assertThat(types(ASKED.withStatus(ExecutionSamples.runningStatus(ASKED))))
                .containsExactly(TransitionType.WorkflowAccepted, TransitionType.PipelineRunCreated);
        assertThat(types(ASKED.withStatus(ExecutionSamples.completedStatus(ASKED))))
                .containsExactly(
                        TransitionType.WorkflowAccepted,
                        TransitionType.PipelineRunCreated,
                        TransitionType.WorkflowCompleted);
        assertThat(types(ASKED.cancelledBy("anna")))
                .containsExactly(TransitionType.WorkflowAccepted, TransitionType.CancellationRequested);
    }

    @Test
    void aTargetIsToldToBeFreeOnceItsHolderIsOverAndHoldsItNoMore() {
        Execution completed = ASKED.withStatus(ExecutionSamples.completedStatus(ASKED));
        LedgerEntry free = LedgerEntry.initial(ExecutionSamples.NODE);
        assertThat(Told.released(completed, free).map(Transition::type)).hasValue(TransitionType.LockReleased);
        assertThat(Told.released(completed, ExecutionSamples.heldEntry(ASKED))).isEmpty();
        assertThat(Told.released(ASKED.withStatus(ExecutionSamples.runningStatus(ASKED)), free))
                .isEmpty();
        assertThat(Told.released(ASKED, free)).isEmpty();
    }

    @Test
    void aClearanceIsToldAsItWasWhenItWasGiven() {
        Clearance clearance = new Clearance("anna", "looked", ExecutionSamples.NOW);
        LedgerEntry cleared =
                ExecutionSamples.blockedEntry(ASKED).clear(clearance).orElseThrow();
        assertThat(Told.cleared(cleared).map(Transition::type)).hasValue(TransitionType.BlockCleared);
        assertThat(Told.cleared(ExecutionSamples.blockedEntry(ASKED))).isEmpty();
    }

    @Test
    void whatIsToldTwiceHasOneName() {
        List<Transition> before =
                Told.of(ASKED.withStatus(ExecutionSamples.runningStatus(ASKED)), ExecutionSamples.NOW);
        List<Transition> after =
                Told.of(ASKED.withStatus(ExecutionSamples.completedStatus(ASKED)), ExecutionSamples.NOW.plusSeconds(9));
        assertThat(after.stream().map(EventCodec::name).toList())
                .startsWith(before.stream().map(EventCodec::name).toArray(String[]::new))
                .doesNotHaveDuplicates();
    }

    @Test
    void anEventIsReadAsItWasWritten() {
        for (Transition told :
                Told.of(ASKED.withStatus(ExecutionSamples.completedStatus(ASKED)), ExecutionSamples.NOW)) {
            assertThat(EventCodec.read(EventCodec.write(told, "test"))).hasValue(told);
        }
    }
}
