package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.WaitingIndex;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.server.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitingExecutionsTest {

    private final List<WorkItem> queued = new ArrayList<>();
    private final WaitingExecutions waiting = new WaitingExecutions(new WaitingIndex(), queued::add);

    private static Execution waiting(int number, String workflow) {
        return ExecutionSamples.waitingExecution(number, workflow, ExecutionSamples.NODE.canonical());
    }

    private static Versioned<Execution> asSeen(Execution execution) {
        return new Versioned<>(execution, "1");
    }

    private static Transition release() {
        var held = ExecutionSamples.heldEntry(ExecutionSamples.execution(9));
        return Transition.of(new StoreWrite.EntryUpdate(
                        new Versioned<>(held, "1"),
                        held.release(new ExecutionOutcome.Completed(), ExecutionSamples.NOW),
                        ExecutionSamples.NOW))
                .orElseThrow();
    }

    private List<String> takeQueued() {
        List<String> names =
                queued.stream().map(item -> item.execution().name()).toList();
        queued.clear();
        return names;
    }

    @Test
    void releaseWakesOldestOfEachWorkflow() {
        waiting.update(waiting(3, "repair"));
        waiting.update(waiting(2, "repair"));
        waiting.update(waiting(4, "reboot"));
        waiting.update(ExecutionSamples.execution(1));
        waiting.onTransition(release());
        assertThat(takeQueued()).containsExactly("e2", "e4");
    }

    /** Its end may be reported before it is removed; then only its removal can wake the next. */
    @Test
    void removalOfFinishedExecutionWakesNext() {
        waiting.update(waiting(2, "repair"));
        waiting.update(waiting(3, "repair"));
        waiting.update(waiting(2, "repair").withStatus(ExecutionSamples.completedStatus(waiting(2, "repair"))));
        assertThat(takeQueued()).containsExactly("e3");
    }

    @Test
    void admissionWakesNobody() {
        waiting.update(waiting(2, "repair"));
        waiting.update(waiting(3, "repair"));
        waiting.update(waiting(2, "repair").withStatus(ExecutionSamples.runningStatus(waiting(2, "repair"))));
        assertThat(takeQueued()).isEmpty();
        waiting.onTransition(release());
        assertThat(takeQueued()).containsExactly("e3");
    }

    @Test
    void cancellationAndDeletionElsewhereWakeTheExecution() {
        Execution execution = waiting(2, "repair");
        waiting.update(execution);
        waiting.onTransition(Transition.of(new StoreWrite.Cancellation(asSeen(execution), "anna", ExecutionSamples.NOW))
                .orElseThrow());
        assertThat(takeQueued()).contains("e2");
        waiting.remove(execution.ref(), Optional.of(ExecutionSamples.NODE));
        assertThat(waiting.contains(execution.ref())).isFalse();
    }

    @Test
    void policyWakesWhatMayBeAdmitted() {
        waiting.update(waiting(2, "repair"));
        waiting.wakeAll();
        assertThat(takeQueued()).containsExactly("e2");
    }

    @Test
    void otherTargetsAndStartsWakeNobody() {
        waiting.update(waiting(2, "repair"));
        Execution other = ExecutionSamples.execution(5);
        ExecutionStatus running = ExecutionSamples.runningStatus(other);
        waiting.onTransition(Transition.of(new StoreWrite.StatusUpdate(asSeen(other), running))
                .orElseThrow());
        assertThat(takeQueued()).isEmpty();
    }
}
