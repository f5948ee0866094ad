package dev.escapement.engine;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.governor.Policy;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.ReasonTable;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.governor.ledger.EndedExecution;
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

    /** Classifies a run that was started: its times fit into those of its execution. */
    static Failure classify(Execution execution, ExecutionStatus.Running running, RunFacts facts) {
        return FailureClassifier.classify(
                execution.workflowId(),
                execution.spec().targetResource(),
                facts.withEndNotBefore(running.startTime()),
                running.startTime());
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
        return classify(execution, withdrawnBy(by, now));
    }

    /**
     * The run does not exist any more: whether a step started is unknown. The run of a cancelled execution was removed
     * by the engine; any other one was deleted from outside.
     */
    static Failure runMissing(Execution execution, ExecutionStatus.Running running, Instant now) {
        String missing = "run " + running.run().name() + " no longer exists";
        RunFacts facts = execution
                .cancelledBy()
                .map(by -> facts(RunEnd.CANCELLED, "cancelled by %s; %s".formatted(by, missing), now))
                .orElseGet(() -> facts(RunEnd.DELETED, missing, now));
        return classify(execution, facts.startedAt(Optional.of(running.startTime())));
    }

    /** The run was requested to stop, did not, and was removed: whether a step started is unknown. */
    static RunFacts runRemoved(Execution execution, ExecutionStatus.Running running, Instant now) {
        String removed =
                "run %s did not stop and was removed".formatted(running.run().name());
        return execution
                .cancelledBy()
                .map(by -> facts(RunEnd.CANCELLED, "cancelled by %s; %s".formatted(by, removed), now))
                .orElseGet(() -> facts(RunEnd.TIMED_OUT, "exceeded its timeout; " + removed, now))
                .startedAt(Optional.of(running.startTime()));
    }

    /** The prepared run was removed, or must not be started, and certainly never was. */
    static Failure neverStarted(Execution execution, String message, Instant now) {
        return classify(execution, facts(RunEnd.DELETED, message, now).asNeverStarted());
    }

    /** The executor did not accept or pick up the run in time, which certainly never started. */
    static RunFacts unavailable(String message, Instant now) {
        return RunFacts.of(RunEnd.REFUSED, now)
                .withReason(ReasonTable.EXECUTOR_UNAVAILABLE, message)
                .asNeverStarted();
    }

    static RunFacts withdrawnBy(String actor, Instant now) {
        return facts(RunEnd.CANCELLED, "cancelled by " + actor, now).asNeverStarted();
    }

    /**
     * The execution ended before, and its status was removed from outside: how it ended is known to the ledger only.
     */
    static Failure statusRemoved(Execution execution, EndedExecution ended) {
        String message = "the execution ended at %s %s, and its status was removed afterwards"
                .formatted(
                        ended.endedAt(),
                        ended.reason().isEmpty() ? "with success" : "with the reason " + ended.reason());
        return classify(
                execution, facts(RunEnd.DELETED, message, ended.endedAt()).startedAt(Optional.of(ended.endedAt())));
    }

    /** Returns what the ledger records of a failure before the first step. */
    static FailedBeforeExecution outcome(Failure failure, Held held, Policy policy) {
        return held.failedStartOutcome(failure.reason().name(), failure.failedAt(), policy);
    }

    private static RunFacts facts(RunEnd end, String message, Instant now) {
        return RunFacts.of(end, now).withReason("", message);
    }
}
