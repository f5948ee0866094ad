package dev.escapement.engine.journal;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.runningStatus;
import static dev.escapement.engine.contract.ExecutionSamples.waitingStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransitionTest {

    private static Transition transition(Execution before, ExecutionStatus next) {
        return Transition.of(new StoreWrite.StatusUpdate(new Versioned<>(before, "1"), next))
                .orElseThrow();
    }

    private static ExecutionStatus.Skipped skippedStatus(SkipReason reason, Optional<EndedExecution> recent) {
        return new ExecutionStatus.Skipped(new ExecutionStatus.SkipDetails(
                reason,
                "why",
                NOW,
                recent.isPresent()
                        ? Optional.empty()
                        : Optional.of(heldEntry(execution(2)).holder()),
                recent,
                recent.map(past -> NOW.plusSeconds(60))));
    }

    @Test
    void skipNamesConflictingOrRecentExecution() {
        Transition busy = transition(execution(1), skippedStatus(SkipReason.ResourceBusy, Optional.empty()));
        assertThat(busy.type()).isEqualTo(TransitionType.WorkflowSkipped);
        assertThat(busy.reason()).isEqualTo("ResourceBusy");
        assertThat(busy.message()).isEqualTo("why");
        assertThat(busy.detail(TransitionDetail.CONFLICTING_EXECUTION)).hasValue("ops/e2");

        EndedExecution success = new EndedExecution(execution(3).ref(), "repair", NOW, "", false);
        Transition cooling =
                transition(execution(1), skippedStatus(SkipReason.RecentlyRemediated, Optional.of(success)));
        assertThat(cooling.detail(TransitionDetail.RECENT_EXECUTION)).hasValue("ops/e3");
        assertThat(cooling.detail(TransitionDetail.RECENT_OUTCOME)).hasValue("Completed");
        assertThat(cooling.detail(TransitionDetail.NEXT_ALLOWED))
                .hasValue(NOW.plusSeconds(60).toString());

        EndedExecution failure = new EndedExecution(execution(3).ref(), "repair", NOW, "ImagePullBackOff", false);
        assertThat(transition(execution(1), skippedStatus(SkipReason.RecentlyRemediated, Optional.of(failure)))
                        .detail(TransitionDetail.RECENT_OUTCOME))
                .hasValue("Failed");
    }

    @Test
    void pendingReasonIsOneTransition() {
        Transition waiting = transition(execution(1), waitingStatus());
        assertThat(waiting.type()).isEqualTo(TransitionType.WorkflowPending);
        assertThat(waiting.reason()).isEqualTo("Waiting");
        assertThat(waiting.at()).isEqualTo(NOW);
        assertThat(waiting.detail(TransitionDetail.PENDING_UNTIL))
                .hasValue(NOW.plusSeconds(600).toString());
        Versioned<Execution> seen = new Versioned<>(execution(1).withStatus(waitingStatus()), "2");
        ExecutionStatus reworded =
                waitingStatus().because(PendingReason.Waiting, "reworded", NOW.plusSeconds(5), Optional.empty());
        assertThat(Transition.of(new StoreWrite.StatusUpdate(seen, reworded))).isEmpty();
        ExecutionStatus other =
                waitingStatus().because(PendingReason.ExecutorUnavailable, "down", NOW, Optional.empty());
        assertThat(transition(seen.value(), other).reason()).isEqualTo("ExecutorUnavailable");
    }

    @Test
    void failureHasStartStatusAndNextAllowedTime() {
        Execution execution = execution(1);
        var failure = FailureClassifier.classify(
                "repair",
                "node/worker-1",
                RunFacts.of(RunEnd.REFUSED, NOW).withReason("WorkflowNotFound", "no workflow repair"));
        ExecutionOutcome outcome = heldEntry(execution).failedStartOutcome("ConfigurationError", NOW, Policy.DEFAULT);
        Transition transition = transition(execution, new ExecutionStatus.Pending().toFailed(failure, outcome));
        assertThat(transition.type()).isEqualTo(TransitionType.WorkflowFailed);
        assertThat(transition.reason()).isEqualTo("ConfigurationError");
        assertThat(transition.detail(TransitionDetail.WAS_EXECUTION_FAILURE)).hasValue("false");
        assertThat(transition.detail(TransitionDetail.CONSECUTIVE_FAILURES)).hasValue("1");
        assertThat(transition.detail(TransitionDetail.NEXT_ALLOWED)).isPresent();
        assertThat(transition.detail(TransitionDetail.DURATION_SECONDS)).isEmpty();
    }

    @Test
    void completionHasDuration() {
        Execution execution = execution(1);
        ExecutionStatus.Running running = runningStatus(execution);
        Transition transition = transition(
                execution.withStatus(running), running.toCompleted(running.progress(), NOW.plusMillis(61_500)));
        assertThat(transition.detail(TransitionDetail.DURATION_SECONDS)).hasValue("61.500");
    }

    @Test
    void acquisitionAndExecutionClearanceCauseNoTransition() {
        Versioned<LedgerEntry> free =
                new Versioned<>(heldEntry(execution(1)).release(new ExecutionOutcome.Completed(), NOW), "1");
        assertThat(Transition.of(new StoreWrite.EntryUpdate(free, heldEntry(execution(2)), NOW)))
                .isEmpty();
        assertThat(Transition.of(new StoreWrite.ClearanceUpdate(
                        new Versioned<>(execution(1), "1"), new Clearance("anna", "looked", NOW))))
                .isEmpty();
    }
}
