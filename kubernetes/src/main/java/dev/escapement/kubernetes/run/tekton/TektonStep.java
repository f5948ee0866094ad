package dev.escapement.kubernetes.run.tekton;

import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.StepState;
import java.time.Instant;
import java.util.Optional;

/**
 * A terminated step as the status of a TaskRun reports it, which is not always what happened.
 *
 * <p>When Tekton gives up a TaskRun (timeout, cancellation, image that cannot be pulled) it deletes the pod and reports
 * <em>every</em> waiting or running step as terminated with exit code 1 and the TaskRun's own reason. So an exit code
 * does not prove that a step ran. A step that was waiting gets the creation time of the TaskRun as its start; one that
 * was running keeps its own start and the id of its image. Neither has a container id, which every real end has.
 *
 * <p>Tekton reports the state that it saw last. After an image pull or configuration failure that is the state which
 * caused the end. After a timeout or a cancellation it may be older than the state of the containers, so the facts are
 * complete only if the adapter has seen the last state of the pod itself.
 *
 * <p>A step that is skipped because another one failed does run a container, and reports the skip in a text that a step
 * can write as well. It stays terminated, hence started, which is correct: the step that failed before it has started.
 *
 * @param reason of the terminated state
 * @param terminationReason Tekton's own field beside the state, empty if there is none
 * @param imageId empty unless the container was created
 * @param containerId of the terminated state, empty if there is none
 */
record TektonStep(
        int exitCode,
        Optional<Integer> signal,
        String reason,
        String terminationReason,
        String message,
        Optional<Instant> startedAt,
        String imageId,
        String containerId) {

    static TektonStep of(LenientNode step) {
        LenientNode terminated = step.at("terminated");
        return new TektonStep(
                terminated.integer("exitCode").orElse(0),
                terminated.integer("signal").filter(signal -> signal > 0),
                terminated.text("reason"),
                step.text("terminationReason"),
                terminated.text("message"),
                terminated.instant("startedAt"),
                step.text("imageID"),
                terminated.text("containerID"));
    }

    /** Returns what really happened to the step. */
    StepState toStepState(String taskRunReason, Instant taskRunCreatedAt) {
        boolean givenUp = containerId.isEmpty() && reason.equals(taskRunReason);
        // Two conditions, because the time has whole seconds: a container may start in the second of the creation.
        boolean wasWaiting = startedAt.filter(taskRunCreatedAt::equals).isPresent() && imageId.isEmpty();
        if (givenUp && wasWaiting) {
            return new StepState.NeverStarted(reason, message);
        }
        String stepReason = terminationReason.isEmpty() || reason.equals(FailureReason.OOMKilled.name())
                ? reason
                : terminationReason;
        Optional<Integer> realExitCode = givenUp ? Optional.empty() : Optional.of(exitCode);
        return new StepState.Terminated(realExitCode, signal, stepReason, message, startedAt);
    }
}
