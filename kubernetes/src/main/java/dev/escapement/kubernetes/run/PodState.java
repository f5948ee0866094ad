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
 * @param previousSteps what ran in them before they were started again
 * @param finished nothing will happen in it any more, so that this is all that ever happened
 */
public record PodState(List<StepFacts> steps, List<StepFacts> previousSteps, boolean finished) {

    private static final String STATUS_UNKNOWN = "ContainerStatusUnknown";

    private static final StepState NEVER_STARTED =
            new StepState.NeverStarted(STATUS_UNKNOWN, "the pod ended before the container was created");

    private static final Set<String> FINAL_PHASES = Set.of("Succeeded", "Failed");

    /** Whose code a container runs, and what its users call it. */
    public record ContainerInfo(String name, Role role) {}

    /** Reads a pod. */
    public static PodState of(PodLookup.PodSnapshot seen, Function<String, ContainerInfo> parts) {
        Pod pod = seen.pod();
        if (isUnscheduled(pod)) {
            return new PodState(unscheduledSteps(pod, parts), List.of(), isFinished(seen));
        }
        List<StepFacts> steps = new ArrayList<>();
        List<StepFacts> earlier = new ArrayList<>();
        for (ContainerStatus container : containerStatuses(pod)) {
            ContainerInfo part = parts.apply(container.getName());
            steps.add(new StepFacts(
                    part.name(),
                    part.role(),
                    wasNeverCreated(container) ? NEVER_STARTED : toStepState(container.getState())));
            if (container.getRestartCount() != null && container.getRestartCount() > 0) {
                earlier.add(new StepFacts(part.name(), part.role(), previousStepState(container.getLastState())));
            }
        }
        return new PodState(steps, earlier, isFinished(seen));
    }

    /**
     * A pod without a node that is being deleted never gets one. One that was deleted on its node may be starting a
     * container at this moment, until the node says that it is over; even if somebody removed it by force.
     */
    private static boolean isFinished(PodLookup.PodSnapshot seen) {
        Pod pod = seen.pod();
        boolean over =
                FINAL_PHASES.contains(status(pod).map(PodStatus::getPhase).orElse(""));
        boolean leaving = seen.deleted() || pod.getMetadata().getDeletionTimestamp() != null;
        return over || (isUnscheduled(pod) && leaving);
    }

    private static boolean isUnscheduled(Pod pod) {
        return Optional.ofNullable(pod.getSpec().getNodeName()).orElse("").isEmpty();
    }

    /** A pod that has no node lists no containers, and none of them was started. */
    private static List<StepFacts> unscheduledSteps(Pod pod, Function<String, ContainerInfo> parts) {
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
     * When a pod ends, a kubelet writes an exit code for every container that it knows no end of, also for those that
     * only waited. One that was ever created has an id, whatever became of it.
     */
    static boolean wasNeverCreated(ContainerStatus container) {
        return Optional.ofNullable(container.getContainerID()).orElse("").isEmpty()
                && Optional.ofNullable(container.getRestartCount()).orElse(0) == 0
                && Optional.ofNullable(container.getState())
                        .map(ContainerState::getTerminated)
                        .filter(ended -> STATUS_UNKNOWN.equals(ended.getReason()))
                        .filter(ended -> parseInstant(ended.getStartedAt()).isEmpty())
                        .isPresent();
    }

    private static StepState toStepState(ContainerState state) {
        if (state == null) {
            return new StepState.Waiting("", "");
        }
        if (state.getTerminated() != null) {
            return toTerminated(state.getTerminated());
        }
        if (state.getRunning() != null) {
            return new StepState.Running(parseInstant(state.getRunning().getStartedAt()));
        }
        Optional<ContainerStateWaiting> waiting = Optional.ofNullable(state.getWaiting());
        return new StepState.Waiting(
                waiting.map(ContainerStateWaiting::getReason).orElse(""),
                waiting.map(ContainerStateWaiting::getMessage).orElse(""));
    }

    private static StepState previousStepState(ContainerState last) {
        return Optional.ofNullable(last)
                .map(ContainerState::getTerminated)
                .map(PodState::toTerminated)
                .orElseGet(
                        () -> new StepState.Terminated(Optional.empty(), Optional.empty(), "", "", Optional.empty()));
    }

    private static StepState toTerminated(ContainerStateTerminated ended) {
        return new StepState.Terminated(
                Optional.ofNullable(ended.getExitCode()),
                Optional.ofNullable(ended.getSignal()).filter(signal -> signal > 0),
                Optional.ofNullable(ended.getReason()).orElse(""),
                Optional.ofNullable(ended.getMessage()).orElse(""),
                parseInstant(ended.getStartedAt()));
    }

    private static Optional<Instant> parseInstant(String time) {
        return Optional.ofNullable(time).filter(text -> !text.isEmpty()).map(Instant::parse);
    }
}
