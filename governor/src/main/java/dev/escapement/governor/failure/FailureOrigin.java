package dev.escapement.governor.failure;

import static java.util.Comparator.comparing;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The task and the step that a failure is told about: the first that failed, or else the one that it was stuck in. */
record FailureOrigin(Optional<TaskFacts> task, Optional<StepFacts> step) {

    static FailureOrigin find(RunFacts run) {
        Optional<TaskFacts> task = Stream.<Predicate<TaskFacts>>of(
                        // A task that was stopped because another had failed is not the one to tell about.
                        candidate -> candidate.state() == TaskState.FAILED && !wasCancelled(candidate),
                        candidate -> candidate.state() == TaskState.FAILED,
                        candidate -> candidate.state() == TaskState.RUNNING,
                        candidate -> candidate.state() == TaskState.PENDING && isStuck(candidate))
                .flatMap(wanted -> run.tasks().stream().filter(wanted))
                .findFirst();
        return new FailureOrigin(task, task.flatMap(FailureOrigin::findStep));
    }

    private static boolean wasCancelled(TaskFacts task) {
        return ReasonTable.preciseReason(task.reason())
                .filter(FailureReason.Cancelled::equals)
                .isPresent();
    }

    private static boolean isStuck(TaskFacts task) {
        return ReasonTable.anyReason(task.reason()).isPresent()
                || findStep(task).isPresent();
    }

    private static Optional<StepFacts> findStep(TaskFacts task) {
        List<StepFacts> byRole =
                task.steps().stream().sorted(comparing(StepFacts::role)).toList();
        return Stream.<Predicate<StepState>>of(
                        FailureOrigin::endedInError, FailureOrigin::failedToStart, FailureOrigin::wasRunning)
                .flatMap(wanted -> byRole.stream().filter(step -> wanted.test(step.state())))
                .findFirst();
    }

    private static boolean endedInError(StepState state) {
        return state instanceof StepState.Terminated terminated && terminated.isError();
    }

    private static boolean failedToStart(StepState state) {
        return state instanceof StepState.NeverStarted
                || (state instanceof StepState.Waiting
                        && ReasonTable.anyReason(state.reason()).isPresent());
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

    /** What the executor calls it, from the most specific to the least. */
    List<String> reasons(RunFacts run) {
        return Stream.of(
                        step.map(StepFacts::state).map(StepState::reason),
                        task.map(TaskFacts::reason),
                        Optional.of(run.reason()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** What was said about it, from the most specific to the least. */
    List<String> messages(RunFacts run) {
        return Stream.of(
                        step.map(StepFacts::state).map(StepState::message),
                        task.map(TaskFacts::message),
                        Optional.of(run.message()))
                .flatMap(Optional::stream)
                .toList();
    }
}
