package dev.escapement.engine;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.governor.Policy;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.governor.ledger.ExecutionOutcome.FailedBeforeExecution;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.Optional;

/** Creates the failures of executions. */
final class FailureFactory {

    private FailureFactory() {}

    static Failure classify(Execution execution, RunFacts facts) {
        return FailureClassifier.classify(
                execution.workflowId(), execution.spec().targetResource(), facts);
    }

    /** Returns the progress of a failed run: its finished tasks, and the executor's reason. */
    static RunProgress finalProgress(RunFacts facts, RunProgress last) {
        int total = facts.totalTasks().orElse(last.totalTasks());
        int done = (int) facts.tasks().stream()
                .filter(task -> task.state() == TaskState.SUCCEEDED || task.state() == TaskState.IGNORED)
                .count();
        return new RunProgress(
                Math.min(done, total), total, "", SafeText.sanitize(facts.reason(), Failure.MAX_NAME_LENGTH));
    }

    static Failure invalidSpec(Execution execution, String problem, Instant now) {
        return classify(execution, facts(RunEnd.INVALID, problem, now));
    }

    static Failure cancelled(Execution execution, String by, Instant now) {
        return classify(
                execution, facts(RunEnd.CANCELLED, "cancelled by " + by, now).asNeverStarted());
    }

    /** The run was deleted from outside: whether a step started is unknown. */
    static Failure runDeleted(Execution execution, ExecutionStatus.Running running, Instant now) {
        String message = "run " + running.run().name() + " no longer exists";
        return classify(execution, facts(RunEnd.DELETED, message, now).startedAt(Optional.of(running.startTime())));
    }

    /** The prepared run was removed, or must not be started, and certainly never was. */
    static Failure neverStarted(Execution execution, String message, Instant now) {
        return classify(execution, facts(RunEnd.DELETED, message, now).asNeverStarted());
    }

    /** Returns what the ledger records of a failure before the first step. */
    static FailedBeforeExecution outcome(Failure failure, Held held, Policy policy) {
        return held.failedStartOutcome(failure.reason().name(), failure.failedAt(), policy);
    }

    private static RunFacts facts(RunEnd end, String message, Instant now) {
        return RunFacts.of(end, now).withReason("", message);
    }
}
