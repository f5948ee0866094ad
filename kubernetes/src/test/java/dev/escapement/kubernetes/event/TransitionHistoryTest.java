package dev.escapement.kubernetes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionDetail;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TransitionHistoryTest {

    private static final Execution EXECUTION = ExecutionSamples.execution(1);

    private static List<TransitionType> types(Execution execution) {
        return TransitionHistory.ofExecution(execution, ExecutionSamples.NOW).stream()
                .map(Transition::type)
                .toList();
    }

    @Test
    void derivesTransitionsFromStatus() {
        assertThat(types(EXECUTION)).containsExactly(TransitionType.WorkflowAccepted);
        assertThat(types(EXECUTION.withStatus(ExecutionSamples.runningStatus(EXECUTION))))
                .containsExactly(TransitionType.WorkflowAccepted, TransitionType.PipelineRunCreated);
        assertThat(types(EXECUTION.withStatus(ExecutionSamples.completedStatus(EXECUTION))))
                .containsExactly(
                        TransitionType.WorkflowAccepted,
                        TransitionType.PipelineRunCreated,
                        TransitionType.WorkflowCompleted);
        assertThat(types(EXECUTION.withStatus(ExecutionSamples.waitingStatus())))
                .containsExactly(TransitionType.WorkflowAccepted, TransitionType.WorkflowPending);
        assertThat(types(EXECUTION.cancelledBy("anna")))
                .containsExactly(TransitionType.WorkflowAccepted, TransitionType.CancellationRequested);
    }

    @Test
    void derivesReleaseOnlyForFinishedExecutionThatNoLongerHolds() {
        Execution completed = EXECUTION.withStatus(ExecutionSamples.completedStatus(EXECUTION));
        LedgerEntry free = LedgerEntry.initial(ExecutionSamples.NODE);
        assertThat(TransitionHistory.lockRelease(completed, free).map(Transition::type))
                .hasValue(TransitionType.LockReleased);
        assertThat(TransitionHistory.lockRelease(completed, ExecutionSamples.heldEntry(EXECUTION)))
                .isEmpty();
        assertThat(TransitionHistory.lockRelease(EXECUTION.withStatus(ExecutionSamples.runningStatus(EXECUTION)), free))
                .isEmpty();
        assertThat(TransitionHistory.lockRelease(EXECUTION, free)).isEmpty();
    }

    @Test
    void derivesClearanceFromEntry() {
        Clearance clearance = new Clearance("anna", "looked", ExecutionSamples.NOW);
        LedgerEntry cleared =
                ExecutionSamples.blockedEntry(EXECUTION).clear(clearance).orElseThrow();
        Execution other =
                ExecutionSamples.execution(2).withClearance(new Clearance("bob", "other", ExecutionSamples.NOW));
        Transition transition = TransitionHistory.clearance(
                        cleared, Stream.of(EXECUTION.withClearance(clearance), other))
                .orElseThrow();
        assertThat(transition.type()).isEqualTo(TransitionType.BlockCleared);
        assertThat(transition.detail(TransitionDetail.CLEARED_EXECUTIONS))
                .hasValue(EXECUTION.ref().toString());
        assertThat(TransitionHistory.clearance(ExecutionSamples.blockedEntry(EXECUTION), Stream.empty()))
                .isEmpty();
    }

    @Test
    void namesSameTransitionIdentically() {
        List<Transition> before = TransitionHistory.ofExecution(
                EXECUTION.withStatus(ExecutionSamples.runningStatus(EXECUTION)), ExecutionSamples.NOW);
        List<Transition> after = TransitionHistory.ofExecution(
                EXECUTION.withStatus(ExecutionSamples.completedStatus(EXECUTION)), ExecutionSamples.NOW.plusSeconds(9));
        assertThat(after.stream().map(EventMapper::eventKey).toList())
                .startsWith(before.stream().map(EventMapper::eventKey).toArray(String[]::new))
                .doesNotHaveDuplicates();
    }

    @Test
    void roundTripsTransitionThroughEvent() {
        for (Transition transition : TransitionHistory.ofExecution(
                EXECUTION.withStatus(ExecutionSamples.completedStatus(EXECUTION)), ExecutionSamples.NOW)) {
            assertThat(EventMapper.toTransition(EventMapper.toEvent(transition, "test")))
                    .hasValue(transition);
        }
    }
}
