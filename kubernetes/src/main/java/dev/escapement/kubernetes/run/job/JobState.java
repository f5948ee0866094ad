package dev.escapement.kubernetes.run.job;

import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import java.util.List;
import java.util.Optional;

/** The state of a Job. */
enum JobState {
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
            return isPastDeadline(failed.get()) && RunLabels.cancelledBy(job).isPresent() ? CANCELLED : FAILED;
        }
        boolean suspended = Boolean.TRUE.equals(job.getSpec().getSuspend());
        if (!suspended || RunLabels.annotation(job, JobKind.STARTED_ANNOTATION).isPresent()) {
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
