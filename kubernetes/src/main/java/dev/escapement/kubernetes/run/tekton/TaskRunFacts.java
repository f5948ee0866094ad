package dev.escapement.kubernetes.run.tekton;

import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepFacts.Role;
import dev.escapement.governor.failure.StepState;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.governor.failure.TektonStep;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.PodState;
import dev.escapement.kubernetes.run.PodState.ContainerInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a TaskRun and its pod say.
 *
 * @param complete every container of it was seen in its last state
 * @param podMissing it had a pod, and nobody has seen it
 */
record TaskRunFacts(TaskFacts facts, boolean complete, boolean podMissing) {

    private static final String TASK_RUN_UID_LABEL = "tekton.dev/taskRunUID";
    private static final String STEP_PREFIX = "step-";
    private static final String SIDECAR_PREFIX = "sidecar-";

    /** Tekton ended the task because of the very state of its containers that it then wrote down. */
    private static final Set<String> CONTAINER_STATE_REASONS =
            Set.of("TaskRunImagePullFailed", "CreateContainerConfigError", "PodCreationFailed");

    static TaskRunFacts of(int index, String task, TaskRun run, PodLookup pods) {
        SucceededCondition condition = SucceededCondition.of(run);
        TaskFacts facts =
                TaskFacts.of(index, task, toState(condition)).withReason(condition.reason(), condition.message());
        LenientNode status = LenientNode.of(run.getStatus());
        List<StepFacts> told = containerFacts(status, condition.reason(), creationTime(run));
        List<StepFacts> before = previousAttemptSteps(status, creationTime(run));
        boolean beforeIsSure = status.at("retriesStatus").items().stream()
                .allMatch(attempt ->
                        endedByContainerState(SucceededCondition.of(attempt).reason(), attempt));
        if (condition.succeeded()) {
            return new TaskRunFacts(withSteps(facts, told, before), beforeIsSure, false);
        }
        boolean sure = endedByContainerState(condition.reason(), status);
        Optional<PodLookup.PodSnapshot> pod = findPod(run, status, pods);
        if (pod.isPresent()) {
            PodState seen = PodState.of(pod.get(), TaskRunFacts::containerInfo);
            before.addAll(seen.previousSteps());
            List<StepFacts> steps = mergeSteps(seen.steps(), told, sure);
            return new TaskRunFacts(withSteps(facts, steps, before), (sure || seen.finished()) && beforeIsSure, false);
        }
        if (status.at("podName").text().isEmpty()) {
            return new TaskRunFacts(
                    withSteps(facts, stepsWithoutPod(status, task, condition), before), beforeIsSure, false);
        }
        return new TaskRunFacts(withSteps(facts, told, before), sure && beforeIsSure, !sure);
    }

    private static TaskFacts withSteps(TaskFacts facts, List<StepFacts> steps, List<StepFacts> earlier) {
        return facts.withSteps(steps.toArray(StepFacts[]::new)).withEarlierSteps(earlier.toArray(StepFacts[]::new));
    }

    private static TaskState toState(SucceededCondition condition) {
        if (condition.succeeded()) {
            return TaskState.SUCCEEDED;
        }
        if (condition.failed()) {
            return condition.reason().equals("FailureIgnored") ? TaskState.IGNORED : TaskState.FAILED;
        }
        return condition.reason().equals("Running") ? TaskState.RUNNING : TaskState.PENDING;
    }

    private static boolean endedByContainerState(String reason, LenientNode status) {
        return CONTAINER_STATE_REASONS.contains(reason)
                && !status.at("steps").items().isEmpty();
    }

    /** The pod that Tekton has noted, or one that it made and had no time to note. */
    private static Optional<PodLookup.PodSnapshot> findPod(TaskRun run, LenientNode status, PodLookup pods) {
        String uid = run.getMetadata().getUid();
        String name = status.at("podName").text();
        return name.isEmpty()
                ? pods.findByLabel(TASK_RUN_UID_LABEL, uid).stream().findFirst()
                : pods.findByName(name)
                        .filter(seen -> seen.pod().getMetadata().getOwnerReferences().stream()
                                .anyMatch(owner -> owner.getUid().equals(uid)));
    }

    /** There is no pod, and Tekton has never noted one: what cannot have run is listed as such. */
    private static List<StepFacts> stepsWithoutPod(LenientNode status, String task, SucceededCondition condition) {
        StepState never = new StepState.NeverStarted(condition.reason(), condition.message());
        List<StepFacts> steps = status.at("taskSpec", "steps").items().stream()
                .map(step -> StepFacts.step(step.at("name").text(), never))
                .toList();
        return steps.isEmpty() ? List.of(StepFacts.step(task, never)) : steps;
    }

    private static List<StepFacts> containerFacts(LenientNode status, String reason, Instant created) {
        List<StepFacts> all = new ArrayList<>();
        status.at("steps")
                .items()
                .forEach(step -> all.add(StepFacts.step(step.at("name").text(), toState(step, reason, created))));
        status.at("sidecars")
                .items()
                .forEach(sidecar ->
                        all.add(StepFacts.sidecar(sidecar.at("name").text(), toState(sidecar, reason, created))));
        return all;
    }

    private static List<StepFacts> previousAttemptSteps(LenientNode status, Instant created) {
        List<StepFacts> all = new ArrayList<>();
        for (LenientNode attempt : status.at("retriesStatus").items()) {
            all.addAll(containerFacts(attempt, SucceededCondition.of(attempt).reason(), created));
        }
        return all;
    }

    private static StepState toState(LenientNode step, String reason, Instant created) {
        LenientNode ended = step.at("terminated");
        if (ended.exists()) {
            return new TektonStep(
                            ended.at("exitCode").integer().orElse(0),
                            ended.at("signal").integer().filter(signal -> signal > 0),
                            ended.at("reason").text(),
                            step.at("terminationReason").text(),
                            ended.at("message").text(),
                            ended.at("startedAt").instant(),
                            step.at("imageID").text(),
                            ended.at("containerID").text())
                    .toStepState(reason, created);
        }
        LenientNode running = step.at("running");
        return running.exists()
                ? new StepState.Running(running.at("startedAt").instant())
                : new StepState.Waiting(
                        step.at("waiting", "reason").text(),
                        step.at("waiting", "message").text());
    }

    /**
     * The pod knows best. But of a step that ended Tekton has read what the step left behind, and of one that it gave
     * up because it could not start, a pod that was deleted therefore says no more than that.
     */
    private static List<StepFacts> mergeSteps(List<StepFacts> seen, List<StepFacts> told, boolean sure) {
        if (seen.isEmpty()) {
            return told;
        }
        return seen.stream()
                .map(step -> told.stream()
                        .filter(other -> other.name().equals(step.name()) && other.role() == step.role())
                        .filter(other -> isMoreSpecific(other.state(), step.state(), sure))
                        .findFirst()
                        .orElse(step))
                .toList();
    }

    private static boolean isMoreSpecific(StepState told, StepState seen, boolean sure) {
        if (seen instanceof StepState.Terminated) {
            return told instanceof StepState.Terminated ended
                    && ended.exitCode().isPresent();
        }
        return sure && seen instanceof StepState.Waiting && told instanceof StepState.NeverStarted;
    }

    private static ContainerInfo containerInfo(String container) {
        if (container.startsWith(STEP_PREFIX)) {
            return new ContainerInfo(container.substring(STEP_PREFIX.length()), Role.STEP);
        }
        return container.startsWith(SIDECAR_PREFIX)
                ? new ContainerInfo(container.substring(SIDECAR_PREFIX.length()), Role.SIDECAR)
                : new ContainerInfo(container, Role.SETUP);
    }

    private static Instant creationTime(TaskRun run) {
        return LenientNode.of(run.getMetadata().getCreationTimestamp())
                .instant()
                .orElse(Instant.EPOCH);
    }
}
