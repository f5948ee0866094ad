package dev.escapement.governor.failure;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Had any step of a run started? Answered from structured facts only: a message can be written by anyone, the step
 * itself included.
 */
public enum StartStatus {
    /** Something of the workflow was seen to run. */
    YES,
    /** It is certain that nothing did. */
    NO,
    /** The facts do not tell. */
    UNKNOWN;

    /**
     * Whether a failure with this answer counts as one during execution, after which nothing runs on the target until a
     * person has looked.
     */
    public boolean countsAsExecutionFailure() {
        // Unknown counts as during: a second run on a target that is half changed does more harm than a person who
        // looks in vain.
        return this != NO;
    }

    /** What the facts say about the run as a whole. */
    public static StartStatus of(RunFacts run) {
        StartStatus seen = combine(run.tasks().stream().map(StartStatus::fromTask));
        if (seen == YES) {
            return YES;
        }
        if (run.neverStarted()) {
            return NO;
        }
        return switch (run.end()) {
            case INVALID -> NO;
            case REFUSED -> seen.or(fromRefusal(run));
            // What went on after the last look at a run that is gone, nobody can say.
            case DELETED, LOST -> UNKNOWN;
            case TIMED_OUT, CANCELLED -> run.complete() ? seen : UNKNOWN;
            case FAILED -> run.complete() ? seen.or(fromRunReason(run)) : UNKNOWN;
        };
    }

    /** A refusal that is not final may have been carried out all the same. */
    private static StartStatus fromRefusal(RunFacts run) {
        return run.httpStatus()
                .map(status -> HttpStatusClassifier.isTransient(status) ? UNKNOWN : NO)
                .orElseGet(() -> ReasonTable.evidence(run.reason()).forRun());
    }

    /**
     * A run fails because of something: a task that failed and was seen to, or else its own reason has to say how it
     * can have failed without a step.
     */
    private static StartStatus fromRunReason(RunFacts run) {
        StartStatus byReason = ReasonTable.evidence(run.reason()).forRun();
        boolean seen = hasFailedTask(run) || (hasPreciseReason(run) && allTasksListSteps(run));
        return seen && byReason == UNKNOWN ? NO : byReason;
    }

    private static boolean hasPreciseReason(RunFacts run) {
        return ReasonTable.preciseReason(run.reason()).isPresent();
    }

    private static boolean allTasksListSteps(RunFacts run) {
        List<TaskFacts> wanted = run.tasks().stream()
                .filter(task -> task.state() != TaskState.SKIPPED)
                .toList();
        return !wanted.isEmpty() && wanted.stream().allMatch(StartStatus::listsWorkflowSteps);
    }

    private static boolean listsWorkflowSteps(TaskFacts task) {
        return task.steps().stream().anyMatch(StepFacts::isWorkflowStep);
    }

    private static boolean hasFailedTask(RunFacts run) {
        return run.tasks().stream().anyMatch(task -> task.state() == TaskState.FAILED);
    }

    private static StartStatus fromTask(TaskFacts task) {
        StartStatus inSteps = combine(Stream.of(task.steps(), task.earlierSteps())
                .flatMap(Collection::stream)
                .map(StartStatus::fromStep));
        return switch (task.state()) {
            case RUNNING, SUCCEEDED, IGNORED -> YES;
            case SKIPPED, PENDING -> inSteps;
            case FAILED -> inSteps.or(fromFailedTask(task));
        };
    }

    /**
     * A task fails because of something: if none of its containers was seen, its reason has to say that none can have
     * been started.
     */
    private static StartStatus fromFailedTask(TaskFacts task) {
        StartStatus byReason = ReasonTable.evidence(task.reason()).forTask();
        return listsWorkflowSteps(task) && byReason == UNKNOWN ? NO : byReason;
    }

    private static StartStatus fromStep(StepFacts step) {
        if (!step.isWorkflowStep()) {
            return NO;
        }
        if (step.state() instanceof StepState.NeverStarted) {
            return NO;
        }
        if (step.state() instanceof StepState.Waiting waiting) {
            // Waiting is no proof: one that waits to be started again, or for its hook, has run before.
            return ReasonTable.evidence(waiting.reason()).forContainer();
        }
        return YES;
    }

    private static StartStatus combine(Stream<StartStatus> answers) {
        return answers.reduce(NO, StartStatus::or);
    }

    /** One that ran is enough; one that nobody knows about is enough for not knowing. */
    private StartStatus or(StartStatus other) {
        List<StartStatus> both = List.of(this, other);
        return both.contains(YES) ? YES : both.contains(UNKNOWN) ? UNKNOWN : NO;
    }
}
