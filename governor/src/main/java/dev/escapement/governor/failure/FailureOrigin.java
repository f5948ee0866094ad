package dev.escapement.governor.failure;

import static java.util.Comparator.comparing;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The task and step that a failure is attributed to: the first that failed, or else the one that was in progress. */
record FailureOrigin(RunFacts run, Optional<TaskFacts> task, Optional<StepFacts> step) {

    static FailureOrigin find(RunFacts run) {
        ReasonTable reasons = run.reasons();
        Optional<TaskFacts> task = Stream.<Predicate<TaskFacts>>of(
                        // A task that was cancelled because another one had failed is not the origin.
                        candidate -> candidate.state() == TaskState.FAILED && !wasCancelled(candidate, reasons),
                        candidate -> candidate.state() == TaskState.FAILED,
                        candidate -> candidate.state() == TaskState.RUNNING,
                        candidate -> candidate.state() == TaskState.PENDING && isStuck(candidate, reasons))
                .flatMap(wanted -> run.tasks().stream().filter(wanted))
                .findFirst();
        return new FailureOrigin(run, task, task.flatMap(found -> findStep(found, reasons)));
    }

    private static boolean wasCancelled(TaskFacts task, ReasonTable reasons) {
        return reasons.preciseReason(task.reason()).equals(Optional.of(FailureReason.Cancelled));
    }

    private static boolean isStuck(TaskFacts task, ReasonTable reasons) {
        return reasons.anyReason(task.reason()).isPresent()
                || findStep(task, reasons).isPresent();
    }

    private static Optional<StepFacts> findStep(TaskFacts task, ReasonTable reasons) {
        List<StepFacts> byRole =
                task.steps().stream().sorted(comparing(StepFacts::role)).toList();
        return Stream.<Predicate<StepState>>of(
                        state -> endedInError(state, reasons),
                        state -> failedToStart(state, reasons),
                        FailureOrigin::wasRunning)
                .flatMap(wanted -> byRole.stream().filter(step -> wanted.test(step.state())))
                .findFirst();
    }

    private static boolean endedInError(StepState state, ReasonTable reasons) {
        return state instanceof StepState.Terminated terminated && terminated.isError(reasons);
    }

    private static boolean failedToStart(StepState state, ReasonTable reasons) {
        return state instanceof StepState.NeverStarted
                || (state instanceof StepState.Waiting
                        && reasons.anyReason(state.reason()).isPresent());
    }

    private static boolean wasRunning(StepState state) {
        return state instanceof StepState.Running
                || (state instanceof StepState.Terminated terminated && terminated.hasUnknownEnd());
    }

    Optional<StepState.Terminated> terminatedState() {
        return step.map(StepFacts::state)
                .filter(StepState.Terminated.class::isInstance)
                .map(StepState.Terminated.class::cast);
    }

    boolean endedInError() {
        return step.filter(found -> endedInError(found.state(), run.reasons())).isPresent();
    }

    /** Returns the first match among the reasons of the step, the task and the run, in this order. */
    Optional<FailureReason> matchReason(Function<String, Optional<FailureReason>> rule) {
        return firstMatch(rule, StepState::reason, TaskFacts::reason, run.reason());
    }

    /** Returns the first match among the messages of the step, the task and the run, in this order. */
    Optional<FailureReason> matchMessage() {
        return firstMatch(MessagePatterns::match, StepState::message, TaskFacts::message, run.message());
    }

    private Optional<FailureReason> firstMatch(
            Function<String, Optional<FailureReason>> rule,
            Function<StepState, String> ofStep,
            Function<TaskFacts, String> ofTask,
            String ofRun) {
        return Stream.of(step.map(StepFacts::state).map(ofStep), task.map(ofTask), Optional.of(ofRun))
                .flatMap(Optional::stream)
                .map(rule)
                .flatMap(Optional::stream)
                .findFirst();
    }
}
