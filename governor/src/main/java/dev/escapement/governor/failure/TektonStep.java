package dev.escapement.governor.failure;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * A terminated step as the status of a TaskRun shows it, in plain values, and what it really was.
 *
 * <p>When Tekton gives up on a TaskRun (timeout, cancellation, image that cannot be pulled) it deletes the pod and
 * writes <em>every</em> waiting or running step as terminated with exit code 1 and the TaskRun's own reason. So an exit
 * code does not prove that a step ran. A step that was waiting gets the creation time of the TaskRun as its start; one
 * that was running keeps its own, and the id of its image. Neither has a container id, which every true end has.
 *
 * <p>What Tekton writes that way is what it saw last. On an image pull or configuration failure that is the very state
 * it acted on. On a timeout or a cancellation it may be older than what the containers did since, so the facts are
 * complete only for an adapter that has seen the last state of the pod itself.
 *
 * <p>A step that is skipped because another failed does run a container, and says so in a text that a step can write as
 * well; it stays terminated here, hence started. That costs nothing: the step that failed before it has started too.
 *
 * @param reason of the terminated state
 * @param terminationReason Tekton's own field beside the state, empty if there is none
 * @param imageId empty unless the container was created
 * @param containerId of the terminated state, empty if there is none
 */
public record TektonStep(
        int exitCode,
        Optional<Integer> signal,
        String reason,
        String terminationReason,
        String message,
        Optional<Instant> startedAt,
        String imageId,
        String containerId) {

    /** Nothing is null. */
    public TektonStep {
        requireNonNull(signal, "signal is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(terminationReason, "terminationReason is null");
        requireNonNull(message, "message is null");
        requireNonNull(startedAt, "startedAt is null");
        requireNonNull(imageId, "imageId is null");
        requireNonNull(containerId, "containerId is null");
    }

    /** What the step really was, given the TaskRun's reason and the time at which it was created. */
    public StepState toStepState(String taskRunReason, Instant taskRunCreatedAt) {
        boolean givenUp = containerId.isEmpty() && reason.equals(taskRunReason);
        // Two signs, because the time has whole seconds only: a fast container may start in the second of the creation.
        boolean wasWaiting = startedAt.filter(taskRunCreatedAt::equals).isPresent() && imageId.isEmpty();
        if (givenUp && wasWaiting) {
            return new StepState.NeverStarted(reason, message);
        }
        String word = terminationReason.isEmpty() || reason.equals(FailureReason.OOMKilled.name())
                ? reason
                : terminationReason;
        Optional<Integer> trueExitCode = givenUp ? Optional.empty() : Optional.of(exitCode);
        return new StepState.Terminated(trueExitCode, signal, word, message, startedAt);
    }
}
