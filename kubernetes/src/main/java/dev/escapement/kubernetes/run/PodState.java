package dev.escapement.kubernetes.run;

import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepFacts.Role;
import dev.escapement.governor.failure.StepState;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of the containers of a pod.
 *
 * @param steps the current state of each container
 * @param previousSteps the states of containers before they were restarted
 * @param finished no container will start or change any more
 */
public record PodState(List<StepFacts> steps, List<StepFacts> previousSteps, boolean finished) {

    private static final String STATUS_UNKNOWN = "ContainerStatusUnknown";

    private static final StepState NEVER_STARTED =
            new StepState.NeverStarted(STATUS_UNKNOWN, "the pod ended before the container was created");

    private static final Set<String> FINAL_PHASES = Set.of("Succeeded", "Failed");

    /** The name of a container as users know it, and whose code it runs. */
    public record ContainerInfo(String name, Role role) {
        private StepFacts with(StepState state) {
            return new StepFacts(name, role, state);
        }
    }

    public static PodState of(PodLookup.PodSnapshot snapshot, Function<String, ContainerInfo> infoOf) {
        Pod pod = snapshot.pod();
        if (isUnscheduled(pod)) {
            return new PodState(unscheduledSteps(pod, infoOf), List.of(), isFinished(snapshot));
        }
        List<StepFacts> steps = new ArrayList<>();
        List<StepFacts> previous = new ArrayList<>();
        for (ContainerStatus container : containerStatuses(pod)) {
            ContainerInfo info = infoOf.apply(container.getName());
            steps.add(info.with(wasNeverCreated(container) ? NEVER_STARTED : toStepState(container.getState())));
            if (restarts(container) > 0) {
                previous.add(info.with(previousStepState(container.getLastState())));
            }
        }
        return new PodState(steps, previous, isFinished(snapshot));
    }

    /**
     * A pod without a node that is being deleted never gets a node. A pod on a node may still start a container until
     * its kubelet reports a final phase, even if the pod was removed by force.
     */
    private static boolean isFinished(PodLookup.PodSnapshot snapshot) {
        Pod pod = snapshot.pod();
        boolean finished = status(pod)
                .map(PodStatus::getPhase)
                .filter(FINAL_PHASES::contains)
                .isPresent();
        boolean deleted = snapshot.deleted() || pod.getMetadata().getDeletionTimestamp() != null;
        return finished || (isUnscheduled(pod) && deleted);
    }

    private static boolean isUnscheduled(Pod pod) {
        return text(pod.getSpec().getNodeName()).isEmpty();
    }

    /** A pod without a node lists no container statuses, and none of its containers was started. */
    private static List<StepFacts> unscheduledSteps(Pod pod, Function<String, ContainerInfo> infoOf) {
        Optional<PodCondition> scheduled = status(pod).map(PodStatus::getConditions).orElse(List.of()).stream()
                .filter(condition -> condition.getType().equals("PodScheduled"))
                .findFirst();
        StepState waiting = new StepState.NeverStarted(
                scheduled.map(PodCondition::getReason).orElse(""),
                scheduled.map(PodCondition::getMessage).orElse(""));
        return pod.getSpec().getContainers().stream()
                .map(container -> infoOf.apply(container.getName()).with(waiting))
                .toList();
    }

    private static List<ContainerStatus> containerStatuses(Pod pod) {
        return status(pod).stream()
                .flatMap(status -> Stream.concat(
                        status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream()))
                .toList();
    }

    private static Optional<PodStatus> status(Pod pod) {
        return Optional.ofNullable(pod.getStatus());
    }

    /**
     * When a pod ends, a kubelet writes an exit code for every container whose end it does not know, even for those
     * that were only waiting. A container that was ever created has an id.
     */
    static boolean wasNeverCreated(ContainerStatus container) {
        return text(container.getContainerID()).isEmpty()
                && restarts(container) == 0
                && Optional.ofNullable(container.getState())
                        .map(ContainerState::getTerminated)
                        .filter(terminated -> STATUS_UNKNOWN.equals(terminated.getReason()))
                        .filter(terminated -> text(terminated.getStartedAt()).isEmpty())
                        .isPresent();
    }

    private static int restarts(ContainerStatus container) {
        return Optional.ofNullable(container.getRestartCount()).orElse(0);
    }

    private static StepState toStepState(ContainerState state) {
        if (state != null && state.getTerminated() != null) {
            return toTerminated(state.getTerminated());
        } else if (state != null && state.getRunning() != null) {
            return new StepState.Running(parseInstant(state.getRunning().getStartedAt()));
        }
        ContainerStateWaiting waiting = state == null ? null : state.getWaiting();
        return waiting == null
                ? new StepState.Waiting("", "")
                : new StepState.Waiting(text(waiting.getReason()), text(waiting.getMessage()));
    }

    private static StepState previousStepState(ContainerState last) {
        return Optional.ofNullable(last)
                .map(ContainerState::getTerminated)
                .map(PodState::toTerminated)
                .orElseGet(
                        () -> new StepState.Terminated(Optional.empty(), Optional.empty(), "", "", Optional.empty()));
    }

    private static StepState toTerminated(ContainerStateTerminated terminated) {
        return new StepState.Terminated(
                Optional.ofNullable(terminated.getExitCode()),
                Optional.ofNullable(terminated.getSignal()).filter(signal -> signal > 0),
                text(terminated.getReason()),
                text(terminated.getMessage()),
                parseInstant(terminated.getStartedAt()));
    }

    private static Optional<Instant> parseInstant(@Nullable String time) {
        return text(time).isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text(time)));
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
