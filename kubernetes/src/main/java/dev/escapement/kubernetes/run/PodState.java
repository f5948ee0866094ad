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

/**
 * What a pod says of its containers.
 *
 * @param steps as they are
 * @param earlier what ran in them before they were started again
 * @param last nothing will happen in it any more, so that this is all that ever happened
 */
public record PodState(List<StepFacts> steps, List<StepFacts> earlier, boolean last) {

    private static final String STATUS_UNKNOWN = "ContainerStatusUnknown";

    private static final StepState NEVER_STARTED =
            new StepState.NeverStarted(STATUS_UNKNOWN, "the pod ended before the container was created");

    private static final Set<String> OVER = Set.of("Succeeded", "Failed");

    /** Whose code a container runs, and what its users call it. */
    public record Part(String name, Role role) {}

    /** Reads a pod. */
    public static PodState of(Pods.Seen seen, Function<String, Part> parts) {
        Pod pod = seen.pod();
        if (isNowhere(pod)) {
            return new PodState(unstarted(pod, parts), List.of(), isLast(seen));
        }
        List<StepFacts> steps = new ArrayList<>();
        List<StepFacts> earlier = new ArrayList<>();
        for (ContainerStatus container : containers(pod)) {
            Part part = parts.apply(container.getName());
            steps.add(new StepFacts(
                    part.name(),
                    part.role(),
                    wasNeverCreated(container) ? NEVER_STARTED : state(container.getState())));
            if (container.getRestartCount() != null && container.getRestartCount() > 0) {
                earlier.add(new StepFacts(part.name(), part.role(), ranBefore(container.getLastState())));
            }
        }
        return new PodState(steps, earlier, isLast(seen));
    }

    /**
     * A pod without a node that is being deleted never gets one. One that was deleted on its node may be starting a
     * container at this moment, until the node says that it is over; even if somebody removed it by force.
     */
    private static boolean isLast(Pods.Seen seen) {
        Pod pod = seen.pod();
        boolean over = OVER.contains(status(pod).map(PodStatus::getPhase).orElse(""));
        boolean leaving = seen.gone() || pod.getMetadata().getDeletionTimestamp() != null;
        return over || (isNowhere(pod) && leaving);
    }

    private static boolean isNowhere(Pod pod) {
        return Optional.ofNullable(pod.getSpec().getNodeName()).orElse("").isEmpty();
    }

    /** A pod that has no node lists no containers, and none of them was started. */
    private static List<StepFacts> unstarted(Pod pod, Function<String, Part> parts) {
        Optional<PodCondition> scheduled = status(pod).map(PodStatus::getConditions).orElse(List.of()).stream()
                .filter(condition -> condition.getType().equals("PodScheduled"))
                .findFirst();
        StepState waiting = new StepState.NeverStarted(
                scheduled.map(PodCondition::getReason).orElse(""),
                scheduled.map(PodCondition::getMessage).orElse(""));
        return pod.getSpec().getContainers().stream()
                .map(container -> parts.apply(container.getName()))
                .map(part -> new StepFacts(part.name(), part.role(), waiting))
                .toList();
    }

    private static List<ContainerStatus> containers(Pod pod) {
        return status(pod).stream()
                .flatMap(status -> Stream.concat(
                        status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream()))
                .toList();
    }

    private static Optional<PodStatus> status(Pod pod) {
        return Optional.ofNullable(pod.getStatus());
    }

    /**
     * When a pod ends, a kubelet writes an exit code for every container that it knows no end of, also for those that
     * only waited. One that was ever created has an id, whatever became of it.
     */
    static boolean wasNeverCreated(ContainerStatus container) {
        return Optional.ofNullable(container.getContainerID()).orElse("").isEmpty()
                && Optional.ofNullable(container.getRestartCount()).orElse(0) == 0
                && Optional.ofNullable(container.getState())
                        .map(ContainerState::getTerminated)
                        .filter(ended -> STATUS_UNKNOWN.equals(ended.getReason()))
                        .filter(ended -> instant(ended.getStartedAt()).isEmpty())
                        .isPresent();
    }

    private static StepState state(ContainerState state) {
        if (state == null) {
            return new StepState.Waiting("", "");
        }
        if (state.getTerminated() != null) {
            return terminated(state.getTerminated());
        }
        if (state.getRunning() != null) {
            return new StepState.Running(instant(state.getRunning().getStartedAt()));
        }
        Optional<ContainerStateWaiting> waiting = Optional.ofNullable(state.getWaiting());
        return new StepState.Waiting(
                waiting.map(ContainerStateWaiting::getReason).orElse(""),
                waiting.map(ContainerStateWaiting::getMessage).orElse(""));
    }

    private static StepState ranBefore(ContainerState last) {
        return Optional.ofNullable(last)
                .map(ContainerState::getTerminated)
                .map(PodState::terminated)
                .orElseGet(
                        () -> new StepState.Terminated(Optional.empty(), Optional.empty(), "", "", Optional.empty()));
    }

    private static StepState terminated(ContainerStateTerminated ended) {
        return new StepState.Terminated(
                Optional.ofNullable(ended.getExitCode()),
                Optional.ofNullable(ended.getSignal()).filter(signal -> signal > 0),
                Optional.ofNullable(ended.getReason()).orElse(""),
                Optional.ofNullable(ended.getMessage()).orElse(""),
                instant(ended.getStartedAt()));
    }

    private static Optional<Instant> instant(String time) {
        return Optional.ofNullable(time).filter(text -> !text.isEmpty()).map(Instant::parse);
    }
}
