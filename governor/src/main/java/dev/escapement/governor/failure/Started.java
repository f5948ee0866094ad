package dev.escapement.governor.failure;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Had any step of a run started? Answered from structured facts only: a message can be written by anyone, the step
 * itself included.
 */
public enum Started {
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
    public boolean countsAsDuring() {
        // Unknown counts as during: a second run on a target that is half changed does more harm than a person who
        // looks in vain.
        return this != NO;
    }

    /** What the facts say about the run as a whole. */
    public static Started inAnyStepOf(RunFacts run) {
        Started seen = any(run.tasks().stream().map(Started::inTask));
        if (seen == YES) {
            return YES;
        }
        if (run.neverLetGo()) {
            return NO;
        }
        return switch (run.end()) {
            case INVALID -> NO;
            case REFUSED -> seen.or(afterRefusal(run));
            // What went on after the last look at a run that is gone, nobody can say.
            case DELETED, LOST -> UNKNOWN;
            case TIMED_OUT, CANCELLED -> run.complete() ? seen : UNKNOWN;
            case FAILED -> run.complete() ? seen.or(byReasonOf(run)) : UNKNOWN;
        };
    }

    /** A refusal that is not final may have been carried out all the same. */
    private static Started afterRefusal(RunFacts run) {
        return run.httpStatus()
                .map(status -> Refusal.isTransient(status) ? UNKNOWN : NO)
                .orElseGet(() -> Rules.evidence(run.reason()).ofRun());
    }

    /**
     * A run fails because of something: a task that failed and was seen to, or else its own reason has to say how it
     * can have failed without a step.
     */
    private static Started byReasonOf(RunFacts run) {
        Started byReason = Rules.evidence(run.reason()).ofRun();
        boolean seen = hasFailedTask(run) || (saysWhy(run) && everyTaskShowsItsSteps(run));
        return seen && byReason == UNKNOWN ? NO : byReason;
    }

    private static boolean saysWhy(RunFacts run) {
        return Rules.precise(run.reason()).isPresent();
    }

    private static boolean everyTaskShowsItsSteps(RunFacts run) {
        List<TaskFacts> wanted = run.tasks().stream()
                .filter(task -> task.state() != TaskState.SKIPPED)
                .toList();
        return !wanted.isEmpty() && wanted.stream().allMatch(Started::showsItsSteps);
    }

    private static boolean showsItsSteps(TaskFacts task) {
        return task.steps().stream().anyMatch(StepFacts::isOfTheWorkflow);
    }

    private static boolean hasFailedTask(RunFacts run) {
        return run.tasks().stream().anyMatch(task -> task.state() == TaskState.FAILED);
    }

    private static Started inTask(TaskFacts task) {
        Started inSteps = any(Stream.of(task.steps(), task.earlierSteps())
                .flatMap(Collection::stream)
                .map(Started::inStep));
        return switch (task.state()) {
            case RUNNING, SUCCEEDED, IGNORED -> YES;
            case SKIPPED, PENDING -> inSteps;
            case FAILED -> inSteps.or(inFailedTask(task));
        };
    }

    /**
     * A task fails because of something: if none of its containers was seen, its reason has to say that none can have
     * been started.
     */
    private static Started inFailedTask(TaskFacts task) {
        Started byReason = Rules.evidence(task.reason()).ofTask();
        return showsItsSteps(task) && byReason == UNKNOWN ? NO : byReason;
    }

    private static Started inStep(StepFacts step) {
        if (!step.isOfTheWorkflow()) {
            return NO;
        }
        if (step.state() instanceof StepState.NeverStarted) {
            return NO;
        }
        if (step.state() instanceof StepState.Waiting waiting) {
            // Waiting is no proof: one that waits to be started again, or for its hook, has run before.
            return Rules.evidence(waiting.reason()).ofContainer();
        }
        return YES;
    }

    private static Started any(Stream<Started> answers) {
        return answers.reduce(NO, Started::or);
    }

    /** One that ran is enough; one that nobody knows about is enough for not knowing. */
    private Started or(Started other) {
        List<Started> both = List.of(this, other);
        return both.contains(YES) ? YES : both.contains(UNKNOWN) ? UNKNOWN : NO;
    }
}
