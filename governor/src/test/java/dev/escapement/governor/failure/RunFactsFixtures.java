package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.StartEvidence.CONTAINER_NOT_STARTED;
import static dev.escapement.governor.failure.StartEvidence.INCONCLUSIVE;
import static dev.escapement.governor.failure.StartEvidence.RUN_LEVEL_ERROR;
import static dev.escapement.governor.failure.StartEvidence.STEP_RAN;

import dev.escapement.governor.failure.ReasonTable.Row;
import dev.escapement.governor.failure.StepState.NeverStarted;
import dev.escapement.governor.failure.StepState.Running;
import dev.escapement.governor.failure.StepState.Terminated;
import dev.escapement.governor.failure.StepState.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Creates facts for tests. */
final class RunFactsFixtures {

    static final Instant END = Instant.parse("2026-03-01T12:00:00Z");

    /** The reasons of a sample executor, with rows of every kind. */
    static final ReasonTable REASONS = ReasonTable.COMMON.with(List.of(
            Row.waiting("ContainerCreating", "PodInitializing"),
            Row.ignored("Continued", "Skipped"),
            Row.failure(FailureReason.OOMKilled, STEP_RAN, "OOMKilled", "StepOOM"),
            Row.failure(FailureReason.OOMKilled, INCONCLUSIVE, "SetupOOM"),
            Row.failure(FailureReason.ImagePullBackOff, CONTAINER_NOT_STARTED, "ImagePullBackOff", "ErrImagePull"),
            Row.failure(FailureReason.ImagePullBackOff, INCONCLUSIVE, "TaskImagePullFailed"),
            Row.failure(FailureReason.ResourceExhausted, INCONCLUSIVE, "Unschedulable", "OutOfcpu", "NodesFull"),
            Row.failure(FailureReason.ResourceExhausted, INCONCLUSIVE, "Evicted", "PodEvicted"),
            Row.failure(FailureReason.Forbidden, RUN_LEVEL_ERROR, "Forbidden"),
            Row.failure(FailureReason.ConfigurationError, RUN_LEVEL_ERROR, "DefinitionNotFound"),
            Row.failure(FailureReason.ConfigurationError, CONTAINER_NOT_STARTED, "CreateContainerConfigError"),
            Row.failure(FailureReason.ConfigurationError, INCONCLUSIVE, "RunContainerError", "StartError"),
            Row.failure(FailureReason.DeadlineExceeded, STEP_RAN, "StepTimeout"),
            Row.failure(FailureReason.DeadlineExceeded, INCONCLUSIVE, "TaskTimeout", "RunTimeout"),
            Row.failure(FailureReason.Cancelled, INCONCLUSIVE, "TaskCancelled"),
            Row.vagueFailure(FailureReason.PipelineRunCreationFailed, RUN_LEVEL_ERROR, "TaskCreationFailed"),
            Row.vagueFailure(FailureReason.PipelineRunCreationFailed, INCONCLUSIVE, "PodCreationFailed"),
            Row.vagueFailure(FailureReason.TaskFailed, STEP_RAN, "StepFailed", "CrashLoopBackOff"),
            Row.vagueFailure(FailureReason.TaskFailed, STEP_RAN, "PostStartHookError", "PreStopHookError"),
            Row.vagueFailure(FailureReason.TaskFailed, INCONCLUSIVE, "BackoffLimitExceeded")));

    private RunFactsFixtures() {}

    static RunFacts run(RunEnd end, TaskFacts... tasks) {
        return RunFacts.of(end, END).withReasonTable(REASONS).tasks(3, List.of(tasks));
    }

    static TaskFacts task(TaskState state, StepState... steps) {
        return new TaskFacts(0, "fix", state, "", "", numberedSteps(steps), List.of());
    }

    static List<StepFacts> numberedSteps(StepState... steps) {
        return java.util.stream.IntStream.range(0, steps.length)
                .mapToObj(i -> StepFacts.step("s" + i, steps[i]))
                .toList();
    }

    static TaskFacts withSecondIndex(TaskFacts task) {
        return new TaskFacts(1, task.name(), task.state(), task.reason(), task.message(), task.steps(), List.of());
    }

    static StepState waiting(String reason) {
        return new Waiting(reason, "");
    }

    static StepState neverStarted(String reason) {
        return new NeverStarted(reason, "");
    }

    static StepState running() {
        return new Running(Optional.of(END.minus(Duration.ofSeconds(72))));
    }

    static StepState exited(int code) {
        return exited(code, code == 0 ? "Completed" : "Error");
    }

    static StepState exited(int code, String reason) {
        return new Terminated(Optional.of(code), Optional.empty(), reason, "", Optional.empty());
    }

    static StepState killed(int signal, String reason) {
        return new Terminated(Optional.empty(), Optional.of(signal), reason, "", Optional.empty());
    }

    static StepFacts setup(String name, StepState state) {
        return new StepFacts(name, StepFacts.Role.SETUP, state);
    }

    static StepState withUnknownEnd(String reason) {
        return new Terminated(Optional.empty(), Optional.empty(), reason, "", Optional.empty());
    }

    static Failure classify(RunFacts run) {
        return FailureClassifier.classify("restart-pods", "payment/deployment/payment-api", run);
    }
}
