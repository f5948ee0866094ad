package dev.escapement.kubernetes.run.tekton;

import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepFacts.Role;
import dev.escapement.governor.failure.StepState;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.governor.failure.TektonStep;
import dev.escapement.kubernetes.run.PodState;
import dev.escapement.kubernetes.run.PodState.Part;
import dev.escapement.kubernetes.run.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a TaskRun and its pod say.
 *
 * @param complete every container of it was seen in its last state
 * @param podUnseen it had a pod, and nobody has seen it
 */
record TaskRunFacts(TaskFacts facts, boolean complete, boolean podUnseen) {

    private static final String TASK_RUN_UID = "tekton.dev/taskRunUID";
    private static final String STEP = "step-";
    private static final String SIDECAR = "sidecar-";

    /** Tekton ended the task because of the very state of its containers that it then wrote down. */
    private static final Set<String> ACTED_ON_WHAT_IT_SAW =
            Set.of("TaskRunImagePullFailed", "CreateContainerConfigError", "PodCreationFailed");

    static TaskRunFacts of(int index, String task, TaskRun run, Pods pods) {
        Conditions condition = Conditions.of(run);
        TaskFacts facts =
                TaskFacts.of(index, task, state(condition)).withReason(condition.reason(), condition.message());
        Node status = Node.of(run.getStatus());
        List<StepFacts> told = containers(status, condition.reason(), created(run));
        List<StepFacts> before = earlier(status, created(run));
        boolean beforeIsSure = status.at("retriesStatus").items().stream()
                .allMatch(attempt -> actedOnWhatItSaw(Conditions.of(attempt).reason(), attempt));
        if (condition.succeeded()) {
            return new TaskRunFacts(with(facts, told, before), beforeIsSure, false);
        }
        boolean sure = actedOnWhatItSaw(condition.reason(), status);
        Optional<Pods.Seen> pod = pod(run, status, pods);
        if (pod.isPresent()) {
            PodState seen = PodState.of(pod.get(), TaskRunFacts::part);
            before.addAll(seen.earlier());
            List<StepFacts> steps = both(seen.steps(), told, sure);
            return new TaskRunFacts(with(facts, steps, before), (sure || seen.last()) && beforeIsSure, false);
        }
        if (status.at("podName").text().isEmpty()) {
            return new TaskRunFacts(with(facts, neverHadOne(status, task, condition), before), beforeIsSure, false);
        }
        return new TaskRunFacts(with(facts, told, before), sure && beforeIsSure, !sure);
    }

    private static TaskFacts with(TaskFacts facts, List<StepFacts> steps, List<StepFacts> earlier) {
        return facts.withSteps(steps.toArray(StepFacts[]::new)).withEarlierSteps(earlier.toArray(StepFacts[]::new));
    }

    private static TaskState state(Conditions condition) {
        if (condition.succeeded()) {
            return TaskState.SUCCEEDED;
        }
        if (condition.failed()) {
            return condition.reason().equals("FailureIgnored") ? TaskState.IGNORED : TaskState.FAILED;
        }
        return condition.reason().equals("Running") ? TaskState.RUNNING : TaskState.PENDING;
    }

    private static boolean actedOnWhatItSaw(String reason, Node status) {
        return ACTED_ON_WHAT_IT_SAW.contains(reason)
                && !status.at("steps").items().isEmpty();
    }

    /** The pod that Tekton has noted, or one that it made and had no time to note. */
    private static Optional<Pods.Seen> pod(TaskRun run, Node status, Pods pods) {
        String uid = run.getMetadata().getUid();
        String name = status.at("podName").text();
        return name.isEmpty()
                ? pods.labelled(TASK_RUN_UID, uid).stream().findFirst()
                : pods.named(name)
                        .filter(seen -> seen.pod().getMetadata().getOwnerReferences().stream()
                                .anyMatch(owner -> owner.getUid().equals(uid)));
    }

    /** There is no pod, and Tekton has never noted one: what cannot have run is listed as such. */
    private static List<StepFacts> neverHadOne(Node status, String task, Conditions condition) {
        StepState never = new StepState.NeverStarted(condition.reason(), condition.message());
        List<StepFacts> steps = status.at("taskSpec", "steps").items().stream()
                .map(step -> StepFacts.step(step.at("name").text(), never))
                .toList();
        return steps.isEmpty() ? List.of(StepFacts.step(task, never)) : steps;
    }

    private static List<StepFacts> containers(Node status, String reason, Instant created) {
        List<StepFacts> all = new ArrayList<>();
        status.at("steps")
                .items()
                .forEach(step -> all.add(StepFacts.step(step.at("name").text(), state(step, reason, created))));
        status.at("sidecars")
                .items()
                .forEach(sidecar ->
                        all.add(StepFacts.sidecar(sidecar.at("name").text(), state(sidecar, reason, created))));
        return all;
    }

    private static List<StepFacts> earlier(Node status, Instant created) {
        List<StepFacts> all = new ArrayList<>();
        for (Node attempt : status.at("retriesStatus").items()) {
            all.addAll(containers(attempt, Conditions.of(attempt).reason(), created));
        }
        return all;
    }

    private static StepState state(Node step, String reason, Instant created) {
        Node ended = step.at("terminated");
        if (ended.exists()) {
            return new TektonStep(
                            ended.at("exitCode").whole().orElse(0),
                            ended.at("signal").whole().filter(signal -> signal > 0),
                            ended.at("reason").text(),
                            step.at("terminationReason").text(),
                            ended.at("message").text(),
                            ended.at("startedAt").instant(),
                            step.at("imageID").text(),
                            ended.at("containerID").text())
                    .toStepState(reason, created);
        }
        Node running = step.at("running");
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
    private static List<StepFacts> both(List<StepFacts> seen, List<StepFacts> told, boolean sure) {
        if (seen.isEmpty()) {
            return told;
        }
        return seen.stream()
                .map(step -> told.stream()
                        .filter(other -> other.name().equals(step.name()) && other.role() == step.role())
                        .filter(other -> knowsMore(other.state(), step.state(), sure))
                        .findFirst()
                        .orElse(step))
                .toList();
    }

    private static boolean knowsMore(StepState told, StepState seen, boolean sure) {
        if (seen instanceof StepState.Terminated) {
            return told instanceof StepState.Terminated ended
                    && ended.exitCode().isPresent();
        }
        return sure && seen instanceof StepState.Waiting && told instanceof StepState.NeverStarted;
    }

    private static Part part(String container) {
        if (container.startsWith(STEP)) {
            return new Part(container.substring(STEP.length()), Role.STEP);
        }
        return container.startsWith(SIDECAR)
                ? new Part(container.substring(SIDECAR.length()), Role.SIDECAR)
                : new Part(container, Role.SETUP);
    }

    private static Instant created(TaskRun run) {
        return Node.of(run.getMetadata().getCreationTimestamp()).instant().orElse(Instant.EPOCH);
    }
}
