package dev.escapement.kubernetes.run.tekton;

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
import static dev.escapement.governor.failure.StartEvidence.INCONCLUSIVE;
import static dev.escapement.governor.failure.StartEvidence.RUN_LEVEL_ERROR;
import static dev.escapement.governor.failure.StartEvidence.STEP_RAN;

import dev.escapement.governor.failure.ReasonTable;
import dev.escapement.kubernetes.run.KubernetesReasons;
import java.util.List;

/** The reasons of PipelineRuns, TaskRuns and their steps. */
final class TektonReasons {

    /** Includes {@link KubernetesReasons#TABLE}. */
    static final ReasonTable TABLE = KubernetesReasons.TABLE.with(List.of(
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

    private TektonReasons() {}
}
