package dev.escapement.governor.failure;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether any step of a run had started. Determined from structured facts only: a message can be written by anyone,
 * also by the step itself.
 */
public enum StartStatus {
    /** A step or sidecar of the workflow ran. */
    YES,
    /** It is certain that none ran. */
    NO,
    /** The facts prove neither. */
    UNKNOWN;

    /** Returns whether the failure counts as one during execution, which blocks the target until a person clears it. */
    public boolean countsAsExecutionFailure() {
        // Unknown counts too: a second run on a half-changed target does more harm than an unnecessary review.
        return this != NO;
    }

    /** Determines the status of a whole run. */
    public static StartStatus of(RunFacts run) {
        ReasonTable reasons = run.reasons();
        StartStatus seen = combine(run.tasks().stream().map(task -> fromTask(task, reasons)));
        if (seen == YES) {
            return YES;
        }
        if (run.neverStarted()) {
            return NO;
        }
        return switch (run.end()) {
            case INVALID -> NO;
            case REFUSED -> seen.or(fromRefusal(run));
            // The run is gone: nothing is known of what it did after it was last seen.
            case DELETED, LOST -> UNKNOWN;
            case TIMED_OUT, CANCELLED -> run.complete() ? seen : UNKNOWN;
            case FAILED -> run.complete() ? seen.or(fromRunReason(run)) : UNKNOWN;
        };
    }

    /** A request with a transient error may have been executed all the same. */
    private static StartStatus fromRefusal(RunFacts run) {
        return run.httpCode()
                .map(status -> HttpStatusClassifier.isTransient(status) ? UNKNOWN : NO)
                .orElseGet(() -> run.reasons().evidence(run.reason()).forRun());
    }

    /** A failure has a cause: a failed task that was seen, or else the run's own reason must exclude a start. */
    private static StartStatus fromRunReason(RunFacts run) {
        StartStatus byReason = run.reasons().evidence(run.reason()).forRun();
        boolean precise = run.reasons().preciseReason(run.reason()).isPresent();
        boolean seen = run.tasks().stream().anyMatch(task -> task.state() == TaskState.FAILED)
                || (precise && allTasksListSteps(run));
        return seen && byReason == UNKNOWN ? NO : byReason;
    }

    private static boolean allTasksListSteps(RunFacts run) {
        List<TaskFacts> required = run.tasks().stream()
                .filter(task -> task.state() != TaskState.SKIPPED)
                .toList();
        return !required.isEmpty() && required.stream().allMatch(StartStatus::listsWorkflowSteps);
    }

    private static boolean listsWorkflowSteps(TaskFacts task) {
        return task.steps().stream().anyMatch(StepFacts::isWorkflowStep);
    }

    private static StartStatus fromTask(TaskFacts task, ReasonTable reasons) {
        StartStatus inSteps = combine(Stream.of(task.steps(), task.earlierSteps())
                .flatMap(Collection::stream)
                .map(step -> fromStep(step, reasons)));
        return switch (task.state()) {
            case RUNNING, SUCCEEDED, IGNORED -> YES;
            case SKIPPED, PENDING -> inSteps;
            case FAILED -> inSteps.or(fromFailedTask(task, reasons));
        };
    }

    /** If no step of the failed task was seen, its reason must exclude that one started. */
    private static StartStatus fromFailedTask(TaskFacts task, ReasonTable reasons) {
        StartStatus byReason = reasons.evidence(task.reason()).forTask();
        return listsWorkflowSteps(task) && byReason == UNKNOWN ? NO : byReason;
    }

    private static StartStatus fromStep(StepFacts step, ReasonTable reasons) {
        if (!step.isWorkflowStep() || step.state() instanceof StepState.NeverStarted) {
            return NO;
        }
        if (step.state() instanceof StepState.Waiting waiting) {
            // Waiting alone proves nothing: a container that waits for its restart or its hook has run before.
            return reasons.evidence(waiting.reason()).forContainer();
        }
        return YES;
    }

    private static StartStatus combine(Stream<StartStatus> statuses) {
        return statuses.reduce(NO, StartStatus::or);
    }

    /** YES outweighs UNKNOWN, UNKNOWN outweighs NO. */
    private StartStatus or(StartStatus other) {
        List<StartStatus> both = List.of(this, other);
        return both.contains(YES) ? YES : both.contains(UNKNOWN) ? UNKNOWN : NO;
    }
}
