package dev.escapement.kubernetes.run.tekton;

import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepFacts.Role;
import dev.escapement.governor.failure.StepState;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.PodState;
import dev.escapement.kubernetes.run.PodState.ContainerInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The facts that a TaskRun and its pod give.
 *
 * @param complete the final state of every container is known
 * @param podMissing it had a pod that was not found
 */
record TaskRunFacts(TaskFacts facts, boolean complete, boolean podMissing) {

    private static final String TASK_RUN_UID_LABEL = "tekton.dev/taskRunUID";
    private static final String STEP_PREFIX = "step-";
    private static final String SIDECAR_PREFIX = "sidecar-";

    /** With these reasons, Tekton ended the task because of the container states in its status, so these are final. */
    private static final Set<String> CONTAINER_STATE_REASONS =
            Set.of("TaskRunImagePullFailed", "CreateContainerConfigError", "PodCreationFailed");

    static TaskRunFacts of(int index, String task, TaskRun run, PodLookup pods) {
        SucceededCondition condition = SucceededCondition.of(run);
        TaskFacts facts =
                TaskFacts.of(index, task, toState(condition)).withReason(condition.reason(), condition.message());
        LenientNode status = LenientNode.of(run.getStatus());
        List<StepFacts> reported = containerFacts(status, condition.reason(), creationTime(run));
        List<StepFacts> previous = previousAttemptSteps(status, creationTime(run));
        boolean previousFinal = status.at("retriesStatus").items().stream()
                .allMatch(attempt ->
                        endedByContainerState(SucceededCondition.of(attempt).reason(), attempt));
        if (condition.succeeded()) {
            return new TaskRunFacts(withSteps(facts, reported, previous), previousFinal, false);
        }
        boolean isFinal = endedByContainerState(condition.reason(), status);
        Optional<PodLookup.PodSnapshot> pod = findPod(run, status, pods);
        if (pod.isPresent()) {
            PodState podState = PodState.of(pod.get(), TaskRunFacts::containerInfo);
            previous.addAll(podState.previousSteps());
            List<StepFacts> steps = mergeSteps(podState.steps(), reported, isFinal);
            return new TaskRunFacts(
                    withSteps(facts, steps, previous), (isFinal || podState.finished()) && previousFinal, false);
        }
        if (status.at("podName").text().isEmpty()) {
            return new TaskRunFacts(
                    withSteps(facts, stepsWithoutPod(status, task, condition), previous), previousFinal, false);
        }
        return new TaskRunFacts(withSteps(facts, reported, previous), isFinal && previousFinal, !isFinal);
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

    /** Finds the pod in the status, or one that Tekton created but has not recorded. */
    private static Optional<PodLookup.PodSnapshot> findPod(TaskRun run, LenientNode status, PodLookup pods) {
        String uid = run.getMetadata().getUid();
        String name = status.at("podName").text();
        return name.isEmpty()
                ? pods.findByLabel(TASK_RUN_UID_LABEL, uid).stream().findFirst()
                : pods.findByName(name)
                        .filter(snapshot -> snapshot.pod().getMetadata().getOwnerReferences().stream()
                                .anyMatch(owner -> owner.getUid().equals(uid)));
    }

    /** There is no pod and Tekton has never recorded one, so no step was started. */
    private static List<StepFacts> stepsWithoutPod(LenientNode status, String task, SucceededCondition condition) {
        StepState neverStarted = new StepState.NeverStarted(condition.reason(), condition.message());
        List<StepFacts> steps = status.at("taskSpec", "steps").items().stream()
                .map(step -> StepFacts.step(step.at("name").text(), neverStarted))
                .toList();
        return steps.isEmpty() ? List.of(StepFacts.step(task, neverStarted)) : steps;
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
        LenientNode terminated = step.at("terminated");
        if (terminated.exists()) {
            return new TektonStep(
                            terminated.at("exitCode").integer().orElse(0),
                            terminated.at("signal").integer().filter(signal -> signal > 0),
                            terminated.at("reason").text(),
                            step.at("terminationReason").text(),
                            terminated.at("message").text(),
                            terminated.at("startedAt").instant(),
                            step.at("imageID").text(),
                            terminated.at("containerID").text())
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
     * Prefers the state in the pod, with two exceptions: of a terminated step Tekton has read the result, and of a step
     * that could not start Tekton has the reason, while the deleted pod only shows that it was waiting.
     */
    private static List<StepFacts> mergeSteps(List<StepFacts> podSteps, List<StepFacts> reported, boolean isFinal) {
        if (podSteps.isEmpty()) {
            return reported;
        }
        return podSteps.stream()
                .map(step -> reported.stream()
                        .filter(other -> other.name().equals(step.name()) && other.role() == step.role())
                        .filter(other -> isMoreSpecific(other.state(), step.state(), isFinal))
                        .findFirst()
                        .orElse(step))
                .toList();
    }

    private static boolean isMoreSpecific(StepState reported, StepState podStep, boolean isFinal) {
        if (podStep instanceof StepState.Terminated) {
            return reported instanceof StepState.Terminated terminated
                    && terminated.exitCode().isPresent();
        }
        return isFinal && podStep instanceof StepState.Waiting && reported instanceof StepState.NeverStarted;
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
