package dev.escapement.testkit.cluster.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The containers of one pod and their states. Not thread-safe. */
final class SimulatedPod {

    private static final String READY_ANNOTATION = "tekton.dev/ready";

    private final List<SimulatedContainer> initContainers;
    private final List<SimulatedContainer> containers;
    private Optional<Instant> startedAt = Optional.empty();

    SimulatedPod(Pod pod) {
        this.initContainers = pod.getSpec().getInitContainers().stream()
                .map(SimulatedPod::container)
                .toList();
        this.containers = pod.getSpec().getContainers().stream()
                .map(SimulatedPod::container)
                .toList();
    }

    private static SimulatedContainer container(Container container) {
        return new SimulatedContainer(container.getName(), container.getImage());
    }

    List<SimulatedContainer> initContainers() {
        return initContainers;
    }

    List<SimulatedContainer> containers() {
        return containers;
    }

    Optional<Instant> startedAt() {
        return startedAt;
    }

    boolean isSchedulable() {
        return containers.stream().noneMatch(each -> each.behaviour() instanceof SimulatedImage.Unschedulable);
    }

    boolean isFinished() {
        return containers.stream().allMatch(each -> each.termination().isPresent())
                || initContainers.stream().anyMatch(SimulatedContainer::hasFailed);
    }

    boolean hasFailed() {
        return Stream.concat(initContainers.stream(), containers.stream()).anyMatch(SimulatedContainer::hasFailed);
    }

    boolean isInitialized() {
        return initContainers.stream()
                .allMatch(each ->
                        each.termination().filter(end -> end.exitCode() == 0).isPresent());
    }

    boolean allContainersStarted() {
        return containers.stream().allMatch(each -> each.startedAt().isPresent());
    }

    /**
     * Advances all containers to the given time.
     *
     * @return the time until the next change; empty if only other events change it
     */
    Optional<Duration> advance(Pod pod, Instant now) {
        startedAt = Optional.of(startedAt.orElse(now));
        Optional<String> word = annotation(pod, SimulatedKubelet.END_ANNOTATION);
        for (SimulatedContainer init : initContainers) {
            init.start(now);
            Optional<Duration> wait = init.advance(now, word);
            if (init.termination().filter(end -> end.exitCode() == 0).isEmpty()) {
                return wait;
            }
        }
        containers.forEach(each -> each.start(now));
        return containers.stream().anyMatch(SimulatedContainer::isStep)
                ? advanceSteps(pod, now, word)
                : advanceAll(containers, now, word);
    }

    void terminate(Instant now) {
        initContainers.forEach(each -> each.terminate(now));
        containers.forEach(each -> each.terminate(now));
    }

    private static Optional<Duration> advanceAll(List<SimulatedContainer> all, Instant now, Optional<String> word) {
        return all.stream()
                .map(each -> each.advance(now, word))
                .flatMap(Optional::stream)
                .min(Duration::compareTo);
    }

    /** All steps start at once, but Tekton's entrypoint waits for the end of the previous step. */
    private Optional<Duration> advanceSteps(Pod pod, Instant now, Optional<String> word) {
        Optional<Duration> others =
                advanceAll(containers.stream().filter(each -> !each.isStep()).toList(), now, word);
        if (!mayStartSteps(pod)) {
            return others;
        }
        boolean failed = false;
        for (SimulatedContainer step :
                containers.stream().filter(SimulatedContainer::isStep).toList()) {
            if (failed) {
                step.skip(now);
                continue;
            }
            Optional<Duration> wait = step.advance(now, word);
            if (step.termination().isEmpty()) {
                return Stream.concat(wait.stream(), others.stream()).min(Duration::compareTo);
            }
            failed = step.hasFailed();
        }
        return others;
    }

    /** If sidecars may be injected, the first step waits until Tekton has seen all containers running. */
    private static boolean mayStartSteps(Pod pod) {
        return pod.getSpec().getVolumes().stream().noneMatch(SimulatedPod::exposesReadyAnnotation)
                || annotation(pod, READY_ANNOTATION).filter("READY"::equals).isPresent();
    }

    private static boolean exposesReadyAnnotation(Volume volume) {
        return volume.getDownwardAPI() != null
                && volume.getDownwardAPI().getItems().stream()
                        .anyMatch(item -> item.getFieldRef() != null
                                && item.getFieldRef().getFieldPath().contains(READY_ANNOTATION));
    }

    private static Optional<String> annotation(Pod pod, String key) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? Optional.empty() : Optional.ofNullable(annotations.get(key));
    }
}
