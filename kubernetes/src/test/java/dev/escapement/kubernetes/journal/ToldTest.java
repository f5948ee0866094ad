package dev.escapement.kubernetes.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.Samples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToldTest {

    private static final Execution ASKED = Samples.execution(1);

    private static List<TransitionType> types(Execution execution) {
        return Told.of(execution, Samples.NOW).stream().map(Transition::type).toList();
    }

    @Test
    void aStatusImpliesTheLifeThatLedThere() {
        assertThat(types(ASKED)).containsExactly(TransitionType.WorkflowAccepted);
        assertThat(types(ASKED.with(Samples.running(ASKED))))
                .containsExactly(TransitionType.WorkflowAccepted, TransitionType.PipelineRunCreated);
        assertThat(types(ASKED.with(Samples.completed(ASKED))))
                .containsExactly(
                        TransitionType.WorkflowAccepted,
                        TransitionType.PipelineRunCreated,
                        TransitionType.WorkflowCompleted);
        assertThat(types(ASKED.cancelledBy("anna")))
                .containsExactly(TransitionType.WorkflowAccepted, TransitionType.CancellationRequested);
    }

    @Test
    void aTargetIsToldToBeFreeOnceItsHolderIsOverAndHoldsItNoMore() {
        Execution completed = ASKED.with(Samples.completed(ASKED));
        LedgerEntry free = LedgerEntry.fresh(Samples.NODE);
        assertThat(Told.released(completed, free).map(Transition::type)).hasValue(TransitionType.LockReleased);
        assertThat(Told.released(completed, Samples.held(ASKED))).isEmpty();
        assertThat(Told.released(ASKED.with(Samples.running(ASKED)), free)).isEmpty();
        assertThat(Told.released(ASKED, free)).isEmpty();
    }

    @Test
    void aClearanceIsToldAsItWasWhenItWasGiven() {
        Clearance clearance = new Clearance("anna", "looked", Samples.NOW);
        LedgerEntry cleared = Samples.blocked(ASKED).clear(clearance).orElseThrow();
        assertThat(Told.cleared(cleared).map(Transition::type)).hasValue(TransitionType.BlockCleared);
        assertThat(Told.cleared(Samples.blocked(ASKED))).isEmpty();
    }

    @Test
    void whatIsToldTwiceHasOneName() {
        List<Transition> before = Told.of(ASKED.with(Samples.running(ASKED)), Samples.NOW);
        List<Transition> after = Told.of(ASKED.with(Samples.completed(ASKED)), Samples.NOW.plusSeconds(9));
        assertThat(after.stream().map(EventCodec::name).toList())
                .startsWith(before.stream().map(EventCodec::name).toArray(String[]::new))
                .doesNotHaveDuplicates();
    }

    @Test
    void anEventIsReadAsItWasWritten() {
        for (Transition told : Told.of(ASKED.with(Samples.completed(ASKED)), Samples.NOW)) {
            assertThat(EventCodec.read(EventCodec.write(told, "test"))).hasValue(told);
        }
    }
}
