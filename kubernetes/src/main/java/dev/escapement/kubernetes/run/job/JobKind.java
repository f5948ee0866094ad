package dev.escapement.kubernetes.run.job;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.kubernetes.run.JsonPatch;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.RunKind;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.InstantSource;

/**
 * Runs workflows as Jobs.
 *
 * <p>A Job cannot be cancelled, and deleting it would lose its state. So stopping sets its parallelism to 0 and a
 * deadline that has passed: the Job controller terminates the pod, waits until it is gone, and marks the Job as failed.
 * Suspending it again would not be safe: if the controller has not seen the start yet, what it wrote about the first
 * suspension looks like its reaction to the second. An annotation, written with the start, records that the Job was
 * started, so it never counts as prepared again.
 */
public record JobKind(PodLookup pods, InstantSource clock) implements RunKind<Job> {

    /** The annotation of a Job that was started. */
    static final String STARTED_ANNOTATION = "kubernaut.ai/let-go";

    @Override
    public Class<Job> type() {
        return Job.class;
    }

    @Override
    public String missingImageMessage() {
        return "image: give spec.workflowRef.containerImage, the image that runs as a Job";
    }

    @Override
    public Job newRun(Execution execution, ObjectMeta metadata) {
        return JobTemplate.suspendedJob(execution.spec(), metadata);
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
    public boolean isStopping(Job run) {
        return RunLabels.cancelledBy(run).isPresent();
    }

    @Override
    public JsonPatch startPatch(JsonPatch patch) {
        return patch.test("/spec/suspend", true).set("/spec/suspend", false).annotate(STARTED_ANNOTATION, "true");
    }

    @Override
    public JsonPatch stopPatch(JsonPatch patch, String by) {
        return expireDeadline(patch).annotate(RunLabels.CANCELLED_BY, by);
    }

    /** Makes the Job controller end the Job as past its deadline. */
    static JsonPatch expireDeadline(JsonPatch patch) {
        return patch.set("/spec/parallelism", 0).set("/spec/activeDeadlineSeconds", 1);
    }

    @Override
    public Observation observe(Job run) {
        return switch (JobState.of(run)) {
            case PREPARED ->
                throw new IllegalArgumentException(
                        "the Job is suspended: " + run.getMetadata().getName());
            case RUNNING -> new Observation.Running(RunProgress.UNKNOWN);
            case COMPLETE ->
                new Observation.Succeeded(
                        new RunProgress(1, 1, ""), JobFailureReader.endedAt(run).orElseGet(clock::instant));
            case FAILED, CANCELLED, MODIFIED_EXTERNALLY ->
                new Observation.Failed(new JobFailureReader(pods).read(run, clock.instant()));
        };
    }

    /** Drops the pod template with all parameters, which is never read from the cache. */
    public static Job trim(Job job) {
        return new JobBuilder(job).editSpec().withTemplate(null).endSpec().build();
    }
}
