package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Progress;
import dev.escapement.engine.execution.Status;
import dev.escapement.governor.PlainText;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.Subject;
import dev.escapement.governor.failure.TaskState;
import java.time.Instant;

/** Failures as the classifier sees them, for the cases that the engine itself finds. */
final class Failures {

    private Failures() {}

    static Failure of(Execution execution, RunFacts facts) {
        return FailureClassifier.classify(
                new Subject(execution.workflow(), execution.spec().targetResource()), facts);
    }

    /** How far a run came: what ended well, and the executor's word for its end. The rest is in the failure. */
    static Progress reached(RunFacts facts, Progress last) {
        int total = facts.totalTasks().orElse(last.totalTasks());
        int done = (int) facts.tasks().stream()
                .filter(task -> task.state() == TaskState.SUCCEEDED || task.state() == TaskState.IGNORED)
                .count();
        return new Progress(Math.min(done, total), total, "", PlainText.of(facts.reason(), Failure.LONGEST_NAME));
    }

    static Failure invalid(Execution execution, String problem, Instant now) {
        return of(execution, RunFacts.of(RunEnd.INVALID, now).because("", problem));
    }

    static Failure cancelled(Execution execution, String by, Instant now) {
        return of(
                execution,
                RunFacts.of(RunEnd.CANCELLED, now)
                        .because("", "cancelled by " + by)
                        .butNeverLetGo());
    }

    /** The run that the status names is gone, and nobody asked for that: what it did is unknown. */
    static Failure runDeleted(Execution execution, Status.Running running, Instant now) {
        return of(
                execution,
                RunFacts.of(RunEnd.DELETED, now)
                        .startedAt(running.startTime())
                        .because("", "run " + running.run().name() + " no longer exists"));
    }

    /** A run was prepared, and was gone before it was recorded: so it was never started. */
    static Failure neverStarted(Execution execution, Instant now) {
        return of(
                execution,
                RunFacts.of(RunEnd.DELETED, now)
                        .because("", "its prepared run was removed before it was started")
                        .butNeverLetGo());
    }

    /** Somebody else has its target, because its entry was taken away: what was prepared must not start any more. */
    static Failure dispossessed(Execution execution, Instant now) {
        return of(
                execution,
                RunFacts.of(RunEnd.DELETED, now)
                        .because("", "its target was taken from it before its run was started")
                        .butNeverLetGo());
    }
}
