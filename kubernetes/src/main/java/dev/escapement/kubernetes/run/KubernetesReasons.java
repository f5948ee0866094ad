package dev.escapement.kubernetes.run;

import static dev.escapement.governor.failure.FailureReason.ConfigurationError;
import static dev.escapement.governor.failure.FailureReason.Forbidden;
import static dev.escapement.governor.failure.FailureReason.ImagePullBackOff;
import static dev.escapement.governor.failure.FailureReason.OOMKilled;
import static dev.escapement.governor.failure.FailureReason.ResourceExhausted;
import static dev.escapement.governor.failure.FailureReason.TaskFailed;
import static dev.escapement.governor.failure.ReasonTable.Row.failure;
import static dev.escapement.governor.failure.ReasonTable.Row.vagueFailure;
import static dev.escapement.governor.failure.ReasonTable.Row.waiting;
import static dev.escapement.governor.failure.StartEvidence.CONTAINER_NOT_STARTED;
import static dev.escapement.governor.failure.StartEvidence.INCONCLUSIVE;
import static dev.escapement.governor.failure.StartEvidence.RUN_LEVEL_ERROR;
import static dev.escapement.governor.failure.StartEvidence.STEP_RAN;

import dev.escapement.governor.failure.ReasonTable;
import java.util.List;

/** The reasons of containers, pods and Jobs. */
public final class KubernetesReasons {

    /** Includes {@link ReasonTable#COMMON}. */
    public static final ReasonTable TABLE = ReasonTable.COMMON.with(List.of(
            waiting("ContainerCreating", "PodInitializing"),
            failure(OOMKilled, STEP_RAN, "OOMKilled"),
            failure(ImagePullBackOff, CONTAINER_NOT_STARTED, "ImagePullBackOff", "ErrImagePull", "ErrImageNeverPull"),
            failure(ImagePullBackOff, CONTAINER_NOT_STARTED, "ImageInspectError", "InvalidImageName"),
            failure(ImagePullBackOff, CONTAINER_NOT_STARTED, "RegistryUnavailable", "SignatureValidationFailed"),
            // A running pod that was deleted may be replaced by one that finds no node.
            failure(ResourceExhausted, INCONCLUSIVE, "Unschedulable"),
            // A kubelet that restarts admits its running pods again, and may refuse them then.
            failure(ResourceExhausted, INCONCLUSIVE, "OutOfcpu", "OutOfmemory", "OutOfpods", "OutOfephemeral-storage"),
            failure(ResourceExhausted, INCONCLUSIVE, "Evicted", "Preempting"),
            failure(Forbidden, RUN_LEVEL_ERROR, "Forbidden", "Unauthorized"),
            failure(ConfigurationError, CONTAINER_NOT_STARTED, "CreateContainerConfigError", "CreateContainerError"),
            // A start that the container runtime did not confirm in time may have happened.
            failure(ConfigurationError, INCONCLUSIVE, "RunContainerError", "StartError", "ContainerCannotRun"),
            vagueFailure(TaskFailed, STEP_RAN, "CrashLoopBackOff"),
            // A hook runs in a started container, although the kubelet reports that container as waiting.
            vagueFailure(TaskFailed, STEP_RAN, "PostStartHookError", "PreStopHookError"),
            vagueFailure(TaskFailed, INCONCLUSIVE, "BackoffLimitExceeded", "PodFailurePolicy"),
            vagueFailure(TaskFailed, INCONCLUSIVE, "FailedIndexes", "MaxFailedIndexesExceeded")));

    private KubernetesReasons() {}
}
