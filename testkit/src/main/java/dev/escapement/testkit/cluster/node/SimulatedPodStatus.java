package dev.escapement.testkit.cluster.node;

import dev.escapement.testkit.cluster.OciBlob;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates the status of a pod as a kubelet writes it. */
final class SimulatedPodStatus {

    /** The time format of Tekton's entrypoint. */
    private static final DateTimeFormatter MILLIS_FORMAT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private SimulatedPodStatus() {}

    /** Returns whether two statuses are equal except for transition times. */
    static boolean isSame(Map<String, Object> one, Map<String, Object> other) {
        return withoutTransitionTimes(one).equals(withoutTransitionTimes(other));
    }

    private static Map<String, Object> withoutTransitionTimes(Map<String, Object> status) {
        Map<String, Object> rest = new LinkedHashMap<>(status);
        if (status.get("conditions") instanceof List<?> conditions) {
            rest.put(
                    "conditions",
                    conditions.stream()
                            .map(SimulatedPodStatus::withoutTransitionTime)
                            .toList());
        }
        return rest;
    }

    private static Map<Object, Object> withoutTransitionTime(Object condition) {
        Map<Object, Object> rest = new LinkedHashMap<>((Map<?, ?>) condition);
        rest.remove("lastTransitionTime");
        return rest;
    }

    /** Returns the status of a pod that cannot be scheduled. */
    static Map<String, Object> unschedulable(Instant now) {
        Map<String, Object> condition = condition("PodScheduled", false, now, Optional.of("Unschedulable"));
        condition.put("message", "0/1 nodes are available: 1 Insufficient cpu. (simulated)");
        return Map.of("phase", "Pending", "conditions", List.of(condition));
    }

    /**
     * Returns the status of a pod on a node.
     *
     * @param backingOff whether a failed pull is reported as a backoff
     */
    static Map<String, Object> of(SimulatedPod pod, boolean backingOff, Instant now) {
        boolean running = pod.allContainersStarted() && !pod.isFinished();
        Optional<String> why = pod.isFinished()
                ? Optional.of(pod.hasFailed() ? "PodFailed" : "PodCompleted")
                : Optional.of("ContainersNotReady");
        List<Map<String, Object>> conditions = new ArrayList<>();
        conditions.add(condition("PodScheduled", true, now, Optional.empty()));
        conditions.add(condition(
                "Initialized",
                pod.isInitialized(),
                now,
                pod.isInitialized() ? Optional.empty() : Optional.of("ContainersNotInitialized")));
        conditions.add(condition("ContainersReady", running, now, running ? Optional.empty() : why));
        conditions.add(condition("Ready", running, now, running ? Optional.empty() : why));
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("phase", phase(pod));
        status.put("conditions", conditions);
        status.put("startTime", formatSeconds(pod.startedAt().orElse(now)));
        status.put("hostIP", "127.0.0.1");
        status.put("podIP", "10.128.0.1");
        status.put("initContainerStatuses", containerStatuses(pod.initContainers(), backingOff));
        status.put("containerStatuses", containerStatuses(pod.containers(), backingOff));
        return status;
    }

    private static String phase(SimulatedPod pod) {
        if (pod.isFinished()) {
            return pod.hasFailed() ? "Failed" : "Succeeded";
        }
        return pod.allContainersStarted() ? "Running" : "Pending";
    }

    private static List<Map<String, Object>> containerStatuses(
            List<SimulatedContainer> containers, boolean backingOff) {
        return containers.stream()
                .map(each -> containerStatus(each, backingOff))
                .toList();
    }

    private static Map<String, Object> containerStatus(SimulatedContainer container, boolean backingOff) {
        boolean runs =
                container.startedAt().isPresent() && container.termination().isEmpty();
        boolean completed =
                container.termination().filter(end -> end.exitCode() == 0).isPresent();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("name", container.name());
        status.put("image", container.image());
        status.put("imageID", container.startedAt().isPresent() ? imageId(container) : "");
        container.startedAt().ifPresent(at -> status.put("containerID", containerId(container, at)));
        status.put("ready", runs || completed);
        status.put("started", runs);
        status.put("restartCount", 0);
        status.put("state", containerState(container, backingOff));
        return status;
    }

    private static Map<String, Object> containerState(SimulatedContainer container, boolean backingOff) {
        if (container.termination().isPresent()) {
            return Map.of(
                    "terminated", terminated(container, container.termination().get()));
        }
        if (container.startedAt().isPresent()) {
            return Map.of(
                    "running",
                    Map.of("startedAt", formatSeconds(container.startedAt().get())));
        }
        if (container.behaviour() instanceof SimulatedImage.PullFailure failure) {
            return backingOff
                    ? waiting(
                            "ImagePullBackOff",
                            "Back-off pulling image \"%s\": ErrImagePull: %s"
                                    .formatted(container.image(), failure.message()))
                    : waiting("ErrImagePull", failure.message());
        }
        return Map.of("waiting", Map.of("reason", "PodInitializing"));
    }

    private static Map<String, Object> waiting(String reason, String message) {
        return Map.of("waiting", Map.of("reason", reason, "message", message));
    }

    private static Map<String, Object> terminated(SimulatedContainer container, SimulatedContainer.Termination end) {
        Map<String, Object> terminated = new LinkedHashMap<>();
        terminated.put("exitCode", end.exitCode());
        terminated.put("reason", end.reason());
        if (container.startedAt().isEmpty()) {
            terminated.put("message", "The container could not be located when the pod was terminated");
            return terminated;
        }
        terminated.put("startedAt", formatSeconds(container.startedAt().get()));
        terminated.put("finishedAt", formatSeconds(end.finishedAt()));
        terminated.put(
                "containerID", containerId(container, container.startedAt().get()));
        if (container.isStep() && !end.reason().equals("OOMKilled")) {
            // A process that is killed because it is out of memory cannot write anything.
            terminated.put("message", entrypointMessage(end));
        }
        return terminated;
    }

    /** Tekton reads the start of a step, and whether it was skipped, from this message. */
    private static String entrypointMessage(SimulatedContainer.Termination end) {
        String started =
                "{\"key\":\"StartedAt\",\"value\":\"%s\",\"type\":3}".formatted(MILLIS_FORMAT.format(end.startedAt()));
        return end.skipped()
                ? "[" + started + ",{\"key\":\"Reason\",\"value\":\"Skipped\",\"type\":3}]"
                : "[" + started + "]";
    }

    private static Map<String, Object> condition(String type, boolean holds, Instant now, Optional<String> reason) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", type);
        condition.put("status", holds ? "True" : "False");
        condition.put("lastTransitionTime", formatSeconds(now));
        reason.ifPresent(text -> condition.put("reason", text));
        return condition;
    }

    private static String imageId(SimulatedContainer container) {
        return SimulatedImage.REGISTRY + "image@" + digest(container.image());
    }

    private static String containerId(SimulatedContainer container, Instant startedAt) {
        return "simulated://" + digest(container.name() + startedAt).substring("sha256:".length());
    }

    private static String digest(String text) {
        return OciBlob.digestOf(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String formatSeconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
