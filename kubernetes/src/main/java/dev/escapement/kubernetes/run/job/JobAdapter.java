package dev.escapement.kubernetes.run.job;

import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepFacts.Role;
import dev.escapement.governor.failure.StepState;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.kubernetes.run.ExecutorAdapter;
import dev.escapement.kubernetes.run.ExecutorAdapter.JsonPatch;
import dev.escapement.kubernetes.run.KubernetesReasons;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.PodState;
import dev.escapement.kubernetes.run.PodState.ContainerInfo;
import dev.escapement.kubernetes.run.ReportedTime;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.run.WithdrawnRun;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs workflows as Jobs.
 *
 * <p>A Job cannot be cancelled, and deleting it would lose its state. So stopping sets its parallelism to 0 and a
 * deadline that has passed: the Job controller terminates the pod, waits until it is gone, and marks the Job as failed.
 * Suspending it again would not be safe: if the controller has not seen the start yet, what it wrote about the first
 * suspension looks like its reaction to the second. An annotation, written with the start, records that the Job was
 * started, so it never counts as prepared again.
 */
public record JobAdapter(PodLookup pods, PodCreationFailures podFailures, InstantSource clock)
        implements ExecutorAdapter<Job> {

    /** The annotation of a Job that was started. */
    private static final String STARTED_ANNOTATION = "kubernaut.ai/let-go";

    private static final String CONTROLLER_UID_LABEL = "batch.kubernetes.io/controller-uid";

    /** The state of a Job. */
    private enum JobState {
        /** Suspended and never started. */
        PREPARED,
        /** Started and not finished, also while its pods are terminating. */
        RUNNING,
        COMPLETE,
        FAILED,
        /** Stopped on request, and its pods are gone. */
        CANCELLED,
        /** Suspended with a changed spec: whether it ran in between is unknown. */
        MODIFIED_EXTERNALLY;

        static JobState of(Job job) {
            if (condition(job, "Complete").isPresent()) {
                return COMPLETE;
            }
            Optional<JobCondition> failed = condition(job, "Failed");
            if (failed.isPresent()) {
                return isPastDeadline(failed.get())
                                && WithdrawnRun.cancellationMessage(job).isPresent()
                        ? CANCELLED
                        : FAILED;
            }
            boolean suspended = Boolean.TRUE.equals(job.getSpec().getSuspend());
            if (!suspended || RunLabels.annotation(job, STARTED_ANNOTATION).isPresent()) {
                return RUNNING;
            }
            // Generation 1 is the spec as it was created.
            return job.getMetadata().getGeneration() == 1 ? PREPARED : MODIFIED_EXTERNALLY;
        }

        boolean isFinished() {
            return this == COMPLETE || this == FAILED || this == CANCELLED || this == MODIFIED_EXTERNALLY;
        }

        static boolean isPastDeadline(JobCondition failed) {
            return "DeadlineExceeded".equals(failed.getReason());
        }

        static Optional<JobCondition> condition(Job job, String type) {
            return Optional.ofNullable(job.getStatus()).map(JobStatus::getConditions).orElse(List.of()).stream()
                    .filter(condition -> condition.getType().equals(type))
                    .filter(condition -> condition.getStatus().equals("True"))
                    .findFirst();
        }
    }

    @Override
    public Class<Job> type() {
        return Job.class;
    }

    @Override
    public String missingImageMessage() {
        return "image: give spec.workflowRef.containerImage, the image that runs as a Job";
    }

    @Override
    public Job newRun(ExecutionSpec spec, ObjectMeta metadata) {
        return JobTemplate.suspendedJob(spec, metadata);
    }

    @Override
    public RunProgress initialProgress() {
        return new RunProgress(0, 1, "");
    }

    /** A Job whose spec was changed while it was suspended may have been started by hand in between. */
    @Override
    public boolean isSuspended(Job run) {
        return JobState.of(run) == JobState.PREPARED;
    }

    @Override
    public boolean isFinished(Job run) {
        return JobState.of(run).isFinished();
    }

    @Override
    public Optional<Instant> deadline(Job run) {
        return startTime(run)
                .flatMap(start -> Optional.ofNullable(run.getSpec().getActiveDeadlineSeconds())
                        .map(start::plusSeconds));
    }

    @Override
    public boolean hasChildren(Job run) {
        return !findPods(run).isEmpty();
    }

    @Override
    public JsonPatch startPatch(JsonPatch patch) {
        return patch.test("/spec/suspend", true).set("/spec/suspend", false).annotate(STARTED_ANNOTATION, "true");
    }

    @Override
    public JsonPatch stopPatch(JsonPatch patch) {
        return expireDeadline(patch);
    }

    /** Makes the Job controller end the Job as past its deadline. */
    public static JsonPatch expireDeadline(JsonPatch patch) {
        return patch.set("/spec/parallelism", 0).set("/spec/activeDeadlineSeconds", 1);
    }

    @Override
    public Observation observe(Job run) {
        return switch (JobState.of(run)) {
            case PREPARED ->
                throw new IllegalArgumentException(
                        "the Job is suspended: " + run.getMetadata().getName());
            case RUNNING -> observeActive(run);
            case COMPLETE -> new Observation.Succeeded(new RunProgress(1, 1, ""), endedAt(run, clock.instant()));
            case FAILED, CANCELLED, MODIFIED_EXTERNALLY -> new Observation.Failed(failureFacts(run, clock.instant()));
        };
    }

    /**
     * Without a start time the Job controller has not picked up the Job. With a failure to create its pod, and without
     * a pod in the status, nothing has run. A pod that is created in this moment is found after the withdrawal.
     */
    private Observation observeActive(Job run) {
        String uid = run.getMetadata().getUid();
        if (startTime(run).isPresent() && (!podFailures.hasFailed(uid) || hasRecordedPod(run))) {
            return new Observation.Running(RunProgress.UNKNOWN);
        }
        String version = run.getMetadata().getResourceVersion();
        return new Observation.Stalled(
                version, RunLabels.startedAt(run), podFailures.findRefusal(uid, clock.instant()));
    }

    private static boolean hasRecordedPod(Job run) {
        JobStatus status = run.getStatus();
        boolean uncounted = Optional.ofNullable(status.getUncountedTerminatedPods())
                .filter(pods ->
                        !pods.getFailed().isEmpty() || !pods.getSucceeded().isEmpty())
                .isPresent();
        return uncounted
                || Stream.of(status.getActive(), status.getSucceeded(), status.getFailed(), status.getTerminating())
                        .anyMatch(count -> count != null && count > 0);
    }

    private static Optional<Instant> startTime(Job run) {
        return Optional.ofNullable(run.getStatus()).map(JobStatus::getStartTime).map(Instant::parse);
    }

    private List<PodLookup.PodSnapshot> findPods(Job job) {
        return pods.findByLabel(CONTROLLER_UID_LABEL, job.getMetadata().getUid());
    }

    /** Reads why a Job failed. Its only task is the workflow. */
    private RunFacts failureFacts(Job job, Instant now) {
        RunFacts facts =
                endFacts(job, now).withReasonTable(KubernetesReasons.TABLE).startedAt(startTime(job));
        List<PodState> podStates = findPods(job).stream()
                .map(pod -> PodState.of(pod, JobAdapter::containerInfo))
                .toList();
        if (podStates.isEmpty()) {
            PodLookup.requireWatchCaughtUp(reportedEnd(job), now);
        }
        List<TaskFacts> tasks =
                podStates.stream().map(pod -> taskFacts(pod, facts)).toList();
        // A started Job creates a pod. If none was found, it was deleted and its state is lost.
        boolean complete = !podStates.isEmpty() && podStates.stream().allMatch(PodState::finished);
        return complete ? facts.tasks(1, tasks).asComplete() : facts.tasks(1, tasks);
    }

    private static RunFacts endFacts(Job job, Instant now) {
        return switch (JobState.of(job)) {
            case CANCELLED ->
                RunFacts.of(RunEnd.CANCELLED, endedAt(job, now))
                        .withReason(
                                "Cancelled",
                                WithdrawnRun.cancellationMessage(job).orElseThrow());
            case MODIFIED_EXTERNALLY ->
                RunFacts.of(RunEnd.LOST, now)
                        .withReason("", "the suspended Job was changed by another client: whether it ran is unknown");
            default -> failedFacts(job, now);
        };
    }

    private static RunFacts failedFacts(Job job, Instant now) {
        Optional<JobCondition> failed = JobState.condition(job, "Failed");
        String reason = failed.map(JobCondition::getReason).orElse("");
        RunEnd end = failed.filter(JobState::isPastDeadline).isPresent() ? RunEnd.TIMED_OUT : RunEnd.FAILED;
        return RunFacts.of(end, endedAt(job, now))
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

    private static Instant endedAt(Job job, Instant now) {
        return reportedEnd(job).map(end -> ReportedTime.within(end, now)).orElse(now);
    }

    /** Returns when the Job finished or failed. */
    private static Optional<Instant> reportedEnd(Job job) {
        return Optional.ofNullable(job.getStatus())
                .map(JobStatus::getCompletionTime)
                .or(() -> JobState.condition(job, "Failed").map(JobCondition::getLastTransitionTime))
                .map(Instant::parse);
    }

    /** A service mesh or an admission webhook may have added containers. */
    private static ContainerInfo containerInfo(String container) {
        return new ContainerInfo(container, container.equals(JobTemplate.CONTAINER_NAME) ? Role.STEP : Role.SETUP);
    }

    /** Drops the pod template with all parameters, which is never read from the cache. */
    public static Job trim(Job job) {
        return new JobBuilder(job).editSpec().withTemplate(null).endSpec().build();
    }
}
