package dev.escapement.kubernetes.run;

import static dev.escapement.governor.failure.FailureReason.Cancelled;
import static dev.escapement.governor.failure.FailureReason.ConfigurationError;
import static dev.escapement.governor.failure.FailureReason.DeadlineExceeded;
import static dev.escapement.governor.failure.FailureReason.Forbidden;
import static dev.escapement.governor.failure.FailureReason.ImagePullBackOff;
import static dev.escapement.governor.failure.FailureReason.OOMKilled;
import static dev.escapement.governor.failure.FailureReason.PipelineRunCreationFailed;
import static dev.escapement.governor.failure.FailureReason.ResourceExhausted;
import static dev.escapement.governor.failure.FailureReason.TaskFailed;
import static dev.escapement.governor.failure.ReasonTable.Row.failure;
import static dev.escapement.governor.failure.ReasonTable.Row.ignored;
import static dev.escapement.governor.failure.ReasonTable.Row.vagueFailure;
import static dev.escapement.governor.failure.ReasonTable.Row.waiting;
import static dev.escapement.governor.failure.StartEvidence.CONTAINER_NOT_STARTED;
import static dev.escapement.governor.failure.StartEvidence.INCONCLUSIVE;
import static dev.escapement.governor.failure.StartEvidence.RUN_LEVEL_ERROR;
import static dev.escapement.governor.failure.StartEvidence.STEP_RAN;

import dev.escapement.governor.failure.ReasonTable;
import java.util.List;

/** What the reasons in the status of objects say about a failure. */
public final class KubernetesReasons {

    /** The reasons of containers, pods and Jobs. Includes {@link ReasonTable#COMMON}. */
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

    /** The reasons of PipelineRuns, TaskRuns and their steps. Includes {@link #TABLE}. */
    public static final ReasonTable TEKTON_TABLE = TABLE.with(List.of(
            // The step failed with onError: continue; or a step before it failed, or its own condition was false.
            ignored("Continued", "Skipped"),
            failure(OOMKilled, STEP_RAN, "StepOOM", "SidecarOOM"),
            // Tekton checks init containers first, and a mesh proxy that is one ends after the steps.
            failure(OOMKilled, INCONCLUSIVE, "InitContainerOOM"),
            // One image of the pod is enough for it; sidecars that have their image do not wait.
            failure(ImagePullBackOff, INCONCLUSIVE, "TaskRunImagePullFailed", "PullImageFailed"),
            // Tekton creates a second pod for a task whose running pod was deleted, and that one may find no capacity.
            failure(ResourceExhausted, INCONCLUSIVE, "ExceededResourceQuota", "ExceededNodeResources", "PodEvicted"),
            // The second pod again: the rules may have changed since the first.
            failure(Forbidden, INCONCLUSIVE, "PodAdmissionFailed"),
            failure(ConfigurationError, RUN_LEVEL_ERROR, "CouldntGetPipeline", "CouldntGetTask"),
            failure(ConfigurationError, RUN_LEVEL_ERROR, "ResolutionFailed", "ResolutionTimedOut"),
            failure(ConfigurationError, RUN_LEVEL_ERROR, "ResourceVerificationFailed", "PipelineValidationFailed"),
            failure(ConfigurationError, RUN_LEVEL_ERROR, "PipelineInvalidGraph", "InvalidWorkspaceBindings"),
            failure(ConfigurationError, RUN_LEVEL_ERROR, "InvalidTaskRunSpecs", "InvalidPipelineResourceBindings"),
            failure(ConfigurationError, RUN_LEVEL_ERROR, "RequiredWorkspaceMarkedOptional", "ParameterMissing"),
            failure(ConfigurationError, RUN_LEVEL_ERROR, "ParameterTypeMismatch", "ObjectParameterMissKeys"),
            failure(ConfigurationError, RUN_LEVEL_ERROR, "ParamArrayIndexingInvalid", "InvalidPipelineResultReference"),
            // Results that steps wrote are validated too, with the same reason.
            failure(ConfigurationError, INCONCLUSIVE, "TaskRunValidationFailed"),
            // Tekton resolves again if it crashed between creating the pod and recording it.
            failure(ConfigurationError, INCONCLUSIVE, "TaskRunResolutionFailed", "TaskValidationFailed"),
            // Parameters, matrices and conditions are checked with the results of the tasks that ran before.
            failure(ConfigurationError, INCONCLUSIVE, "InvalidParamValue", "InvalidMatrixParameterTypes"),
            failure(ConfigurationError, INCONCLUSIVE, "CELEvaluationFailed", "InvalidTaskResultReference"),
            failure(ConfigurationError, INCONCLUSIVE, "CouldntGetPipelineResult"),
            failure(DeadlineExceeded, STEP_RAN, "TimeoutExceeded"),
            // Timeouts and cancellations happen before a start as well as after it.
            failure(DeadlineExceeded, INCONCLUSIVE, "TaskRunTimeout", "PipelineRunTimeout"),
            failure(DeadlineExceeded, INCONCLUSIVE, "PipelineRunTimeoutRunningFinally", "PipelineRunCouldntTimeOut"),
            failure(Cancelled, INCONCLUSIVE, "TaskRunCancelled", "PipelineRunCancelled", "PipelineRunCouldntCancel"),
            failure(Cancelled, INCONCLUSIVE, "CancelledRunningFinally", "StoppedRunningFinally", "PipelineRunStopping"),
            // Other tasks may run when Tekton cannot create one, and Tekton does not list them then. So complete facts
            // require that all TaskRuns were looked up.
            vagueFailure(PipelineRunCreationFailed, RUN_LEVEL_ERROR, "CreateRunFailed"),
            // Also the reason if one container could not be created while others of the pod run.
            vagueFailure(PipelineRunCreationFailed, INCONCLUSIVE, "PodCreationFailed", "InitContainerFailed"),
            vagueFailure(TaskFailed, STEP_RAN, "StepFailed", "SidecarFailed", "TaskRunResultLargerThanAllowedLimit")));

    private KubernetesReasons() {}
}
