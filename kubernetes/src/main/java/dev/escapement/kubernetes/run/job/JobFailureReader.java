package dev.escapement.kubernetes.run.job;

import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepFacts.Role;
import dev.escapement.governor.failure.StepState;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.kubernetes.run.KubernetesReasons;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.PodState;
import dev.escapement.kubernetes.run.PodState.ContainerInfo;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.run.job.JobKind.JobState;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads why a Job failed. Its only task is the workflow. */
record JobFailureReader(PodLookup podLookup) {

    private static final String CONTROLLER_UID_LABEL = "batch.kubernetes.io/controller-uid";

    RunFacts read(Job job, Instant now) {
        RunFacts facts = endFacts(job, now).withReasonTable(KubernetesReasons.TABLE);
        RunFacts timed = Optional.ofNullable(job.getStatus())
                .map(JobStatus::getStartTime)
                .map(Instant::parse)
                .map(facts::startedAt)
                .orElse(facts);
        List<PodState> pods = podLookup
                .findByLabel(CONTROLLER_UID_LABEL, job.getMetadata().getUid())
                .stream()
                .map(pod -> PodState.of(pod, JobFailureReader::containerInfo))
                .toList();
        if (pods.isEmpty()) {
            PodLookup.requireWatchCaughtUp(endedAt(job), now);
        }
        List<TaskFacts> tasks = pods.stream().map(pod -> taskFacts(pod, facts)).toList();
        // A started Job creates a pod. If none was found, it was deleted and its state is lost.
        boolean complete = !pods.isEmpty() && pods.stream().allMatch(PodState::finished);
        return complete ? timed.tasks(1, tasks).asComplete() : timed.tasks(1, tasks);
    }

    private static RunFacts endFacts(Job job, Instant now) {
        String actor = RunLabels.cancelledBy(job).orElse("an unknown user");
        return switch (JobState.of(job)) {
            case CANCELLED ->
                RunFacts.of(RunEnd.CANCELLED, endedAt(job).orElse(now))
                        .withReason("Cancelled", "cancelled by " + actor);
            case MODIFIED_EXTERNALLY ->
                RunFacts.of(RunEnd.LOST, now)
                        .withReason("", "the suspended Job was changed by another client: whether it ran is unknown");
            default -> failureFacts(job, now);
        };
    }

    private static RunFacts failureFacts(Job job, Instant now) {
        Optional<JobCondition> failed = JobState.condition(job, "Failed");
        String reason = failed.map(JobCondition::getReason).orElse("");
        RunEnd end = failed.filter(JobState::isPastDeadline).isPresent() ? RunEnd.TIMED_OUT : RunEnd.FAILED;
        return RunFacts.of(end, endedAt(job).orElse(now))
                .withReason(reason, failed.map(JobCondition::getMessage).orElse(""));
    }

    private static TaskFacts taskFacts(PodState pod, RunFacts run) {
        boolean running =
                !pod.finished() && pod.steps().stream().anyMatch(step -> step.state() instanceof StepState.Running);
        return TaskFacts.of(0, JobTemplate.CONTAINER_NAME, running ? TaskState.RUNNING : TaskState.FAILED)
                .withReason(run.reason(), "")
                .withSteps(pod.steps().toArray(StepFacts[]::new))
                .withEarlierSteps(pod.previousSteps().toArray(StepFacts[]::new));
    }

    /** Returns when the Job finished or failed. */
    static Optional<Instant> endedAt(Job job) {
        return Optional.ofNullable(job.getStatus())
                .map(JobStatus::getCompletionTime)
                .or(() -> JobState.condition(job, "Failed").map(JobCondition::getLastTransitionTime))
                .map(Instant::parse);
    }

    /** A service mesh or an admission webhook may have added containers. */
    private static ContainerInfo containerInfo(String container) {
        return new ContainerInfo(container, container.equals(JobTemplate.CONTAINER_NAME) ? Role.STEP : Role.SETUP);
    }
}
