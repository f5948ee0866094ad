package dev.escapement.kubernetes.run.tekton;

import dev.escapement.governor.failure.FailureReason;
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
import java.util.stream.Stream;

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
        LenientNode status = new LenientNode(run.getStatus());
        Instant created = new LenientNode(run.getMetadata().getCreationTimestamp())
                .instant()
                .orElse(Instant.EPOCH);
        List<StepFacts> reported = containerFacts(status, created).toList();
        List<StepFacts> previous = new ArrayList<>();
        status.items("retriesStatus")
                .forEach(attempt -> containerFacts(attempt, created).forEach(previous::add));
        boolean previousFinal = status.items("retriesStatus").stream().allMatch(TaskRunFacts::endedByContainerState);
        if (condition.succeeded()) {
            return new TaskRunFacts(withSteps(facts, reported, previous), previousFinal, false);
        }
        boolean isFinal = endedByContainerState(status);
        Optional<PodLookup.PodSnapshot> pod = findPod(run, status.text("podName"), pods);
        if (pod.isPresent()) {
            PodState podState = PodState.of(pod.get(), TaskRunFacts::containerInfo);
            previous.addAll(podState.previousSteps());
            List<StepFacts> steps = mergeSteps(podState.steps(), reported, isFinal);
            return new TaskRunFacts(
                    withSteps(facts, steps, previous), (isFinal || podState.finished()) && previousFinal, false);
        }
        if (status.text("podName").isEmpty()) {
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

    private static boolean endedByContainerState(LenientNode status) {
        return CONTAINER_STATE_REASONS.contains(SucceededCondition.of(status).reason())
                && !status.items("steps").isEmpty();
    }

    /** Finds the pod in the status, or one that Tekton created but has not recorded. */
    private static Optional<PodLookup.PodSnapshot> findPod(TaskRun run, String name, PodLookup pods) {
        String uid = run.getMetadata().getUid();
        return name.isEmpty()
                ? pods.findByLabel(TASK_RUN_UID_LABEL, uid).stream().findFirst()
                : pods.findByName(name)
                        .filter(snapshot -> snapshot.pod().getMetadata().getOwnerReferences().stream()
                                .anyMatch(owner -> owner.getUid().equals(uid)));
    }

    /** There is no pod and Tekton has never recorded one, so no step was started. */
    private static List<StepFacts> stepsWithoutPod(LenientNode status, String task, SucceededCondition condition) {
        StepState neverStarted = new StepState.NeverStarted(condition.reason(), condition.message());
        List<StepFacts> steps = status.items("taskSpec", "steps").stream()
                .map(step -> StepFacts.step(step.text("name"), neverStarted))
                .toList();
        return steps.isEmpty() ? List.of(StepFacts.step(task, neverStarted)) : steps;
    }

    private static Stream<StepFacts> containerFacts(LenientNode status, Instant created) {
        String reason = SucceededCondition.of(status).reason();
        return Stream.concat(
                status.items("steps").stream()
                        .map(step -> StepFacts.step(step.text("name"), toState(step, reason, created))),
                status.items("sidecars").stream()
                        .map(sidecar -> StepFacts.sidecar(sidecar.text("name"), toState(sidecar, reason, created))));
    }

    private static StepState toState(LenientNode step, String reason, Instant created) {
        if (step.has("terminated")) {
            return terminatedState(step, reason, created);
        }
        return step.has("running")
                ? new StepState.Running(step.instant("running", "startedAt"))
                : new StepState.Waiting(step.text("waiting", "reason"), step.text("waiting", "message"));
    }

    /**
     * Returns what really happened to a terminated step, which is not always what the status of its TaskRun reports.
     *
     * <p>When Tekton gives up a TaskRun (timeout, cancellation, image that cannot be pulled) it deletes the pod and
     * reports <em>every</em> waiting or running step as terminated with exit code 1 and the TaskRun's own reason. So an
     * exit code does not prove that a step ran. A step that was waiting gets the creation time of the TaskRun as its
     * start; one that was running keeps its own start and the id of its image. Neither has a container id, which every
     * real end has.
     *
     * <p>Tekton reports the state that it saw last. After an image pull or configuration failure that is the state
     * which caused the end. After a timeout or a cancellation it may be older than the state of the containers, so the
     * facts are complete only if the adapter has seen the last state of the pod itself.
     *
     * <p>A step that is skipped because another one failed does run a container, and reports the skip in a text that a
     * step can write as well. It stays terminated, hence started, which is correct: the step that failed before it has
     * started.
     */
    static StepState terminatedState(LenientNode step, String taskRunReason, Instant taskRunCreatedAt) {
        LenientNode terminated = step.at("terminated");
        String reason = terminated.text("reason");
        String message = terminated.text("message");
        Optional<Instant> startedAt = terminated.instant("startedAt");
        boolean givenUp = terminated.text("containerID").isEmpty() && reason.equals(taskRunReason);
        // Two conditions, because the time has whole seconds: a container may start in the second of the creation.
        boolean wasWaiting = startedAt.filter(taskRunCreatedAt::equals).isPresent()
                && step.text("imageID").isEmpty();
        if (givenUp && wasWaiting) {
            return new StepState.NeverStarted(reason, message);
        }
        // Tekton's own field beside the state.
        String tektonReason = step.text("terminationReason");
        String stepReason =
                tektonReason.isEmpty() || reason.equals(FailureReason.OOMKilled.name()) ? reason : tektonReason;
        Optional<Integer> exitCode = Optional.of(terminated.integer("exitCode").orElse(0));
        Optional<Integer> signal = terminated.integer("signal").filter(number -> number > 0);
        return new StepState.Terminated(givenUp ? Optional.empty() : exitCode, signal, stepReason, message, startedAt);
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
}
