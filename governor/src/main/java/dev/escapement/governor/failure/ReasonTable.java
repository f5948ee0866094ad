package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.FailureReason.Cancelled;
import static dev.escapement.governor.failure.FailureReason.ConfigurationError;
import static dev.escapement.governor.failure.FailureReason.DeadlineExceeded;
import static dev.escapement.governor.failure.FailureReason.Forbidden;
import static dev.escapement.governor.failure.FailureReason.ImagePullBackOff;
import static dev.escapement.governor.failure.FailureReason.OOMKilled;
import static dev.escapement.governor.failure.FailureReason.PipelineRunCreationFailed;
import static dev.escapement.governor.failure.FailureReason.ResourceExhausted;
import static dev.escapement.governor.failure.FailureReason.TaskFailed;
import static dev.escapement.governor.failure.StartEvidence.CONTAINER_NOT_STARTED;
import static dev.escapement.governor.failure.StartEvidence.INCONCLUSIVE;
import static dev.escapement.governor.failure.StartEvidence.NOT_SPAWNED;
import static dev.escapement.governor.failure.StartEvidence.RUN_LEVEL_ERROR;
import static dev.escapement.governor.failure.StartEvidence.STEP_RAN;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The words of Kubernetes, Tekton, Jobs and the process runner, and what they mean. */
final class ReasonTable {

    /**
     * @param evidence what the reason says by itself about a start. In doubt {@code OPEN}
     * @param vague the reason says where it failed rather than why, so that exit codes and texts may know better
     */
    private record ReasonRow(
            FailureReason failureReason, StartEvidence evidence, boolean vague, List<String> reasons) {}

    private record TextPattern(FailureReason failureReason, List<String> parts) {}

    private static final List<ReasonRow> ROWS = List.of(
            row(OOMKilled, STEP_RAN, "OOMKilled", "StepOOM", "SidecarOOM"),
            // Tekton looks at init containers first, and a mesh's proxy that is one ends after the steps.
            row(OOMKilled, INCONCLUSIVE, "InitContainerOOM"),
            row(ImagePullBackOff, CONTAINER_NOT_STARTED, "ImagePullBackOff", "ErrImagePull", "ErrImageNeverPull"),
            row(
                    ImagePullBackOff,
                    CONTAINER_NOT_STARTED,
                    "ImageInspectError",
                    "InvalidImageName",
                    "RegistryUnavailable"),
            row(ImagePullBackOff, CONTAINER_NOT_STARTED, "SignatureValidationFailed"),
            // One image of the pod is enough for it, and the sidecars that have theirs do not wait.
            row(ImagePullBackOff, INCONCLUSIVE, "TaskRunImagePullFailed", "PullImageFailed"),
            // Tekton creates a second pod for a task whose running pod was deleted, and that one may find no room.
            row(ResourceExhausted, INCONCLUSIVE, "ExceededResourceQuota", "ExceededNodeResources", "Unschedulable"),
            // A kubelet that restarts admits the pods that it runs anew, and may refuse them then.
            row(ResourceExhausted, INCONCLUSIVE, "OutOfcpu", "OutOfmemory", "OutOfpods", "OutOfephemeral-storage"),
            row(ResourceExhausted, INCONCLUSIVE, "Evicted", "PodEvicted", "Preempting"),
            row(Forbidden, RUN_LEVEL_ERROR, "Forbidden", "Unauthorized"),
            // The second pod again: the rules may have changed since the first.
            row(Forbidden, INCONCLUSIVE, "PodAdmissionFailed"),
            row(
                    ConfigurationError,
                    RUN_LEVEL_ERROR,
                    "CouldntGetPipeline",
                    "CouldntGetTask",
                    "ResourceVerificationFailed"),
            row(ConfigurationError, RUN_LEVEL_ERROR, "ResolutionFailed", "ResolutionTimedOut"),
            row(ConfigurationError, RUN_LEVEL_ERROR, "PipelineValidationFailed", "PipelineInvalidGraph"),
            row(ConfigurationError, RUN_LEVEL_ERROR, "InvalidWorkspaceBindings", "InvalidTaskRunSpecs"),
            row(
                    ConfigurationError,
                    RUN_LEVEL_ERROR,
                    "InvalidPipelineResourceBindings",
                    "RequiredWorkspaceMarkedOptional"),
            row(
                    ConfigurationError,
                    RUN_LEVEL_ERROR,
                    "ParameterMissing",
                    "ParameterTypeMismatch",
                    "ObjectParameterMissKeys"),
            row(ConfigurationError, RUN_LEVEL_ERROR, "ParamArrayIndexingInvalid", "InvalidPipelineResultReference"),
            // Results that steps wrote are validated too, with the same word.
            row(ConfigurationError, INCONCLUSIVE, "TaskRunValidationFailed"),
            // Tekton resolves again if it crashed after it had created the pod and before it noted so.
            row(ConfigurationError, INCONCLUSIVE, "TaskRunResolutionFailed", "TaskValidationFailed"),
            // Parameters, matrices and conditions are checked with the results of the tasks that ran before.
            row(
                    ConfigurationError,
                    INCONCLUSIVE,
                    "InvalidParamValue",
                    "InvalidMatrixParameterTypes",
                    "CELEvaluationFailed"),
            row(ConfigurationError, INCONCLUSIVE, "InvalidTaskResultReference", "CouldntGetPipelineResult"),
            row(ConfigurationError, CONTAINER_NOT_STARTED, "CreateContainerConfigError", "CreateContainerError"),
            // A start that the runtime did not confirm in time may have taken place.
            row(ConfigurationError, INCONCLUSIVE, "RunContainerError", "StartError", "ContainerCannotRun"),
            row(ConfigurationError, NOT_SPAWNED, "WorkflowNotFound", "CommandNotFound", "NotExecutable"),
            row(ConfigurationError, NOT_SPAWNED, "ExecutorNotFound"),
            row(DeadlineExceeded, STEP_RAN, "TimeoutExceeded"),
            // Time runs out, and people change their minds, before a start and after it.
            row(DeadlineExceeded, INCONCLUSIVE, "TaskRunTimeout", "PipelineRunTimeout", "DeadlineExceeded"),
            row(DeadlineExceeded, INCONCLUSIVE, "PipelineRunTimeoutRunningFinally", "PipelineRunCouldntTimeOut"),
            row(
                    Cancelled,
                    INCONCLUSIVE,
                    "Cancelled",
                    "TaskRunCancelled",
                    "PipelineRunCancelled",
                    "PipelineRunCouldntCancel"),
            row(Cancelled, INCONCLUSIVE, "CancelledRunningFinally", "StoppedRunningFinally", "PipelineRunStopping"),
            // Some tasks may run when another one is refused. Tekton does not list them then, so whoever says that all
            // were seen has looked for them.
            vagueRow(PipelineRunCreationFailed, RUN_LEVEL_ERROR, "CreateRunFailed"),
            // Also Tekton's word for one container that could not be created while others of the pod run.
            vagueRow(PipelineRunCreationFailed, INCONCLUSIVE, "PodCreationFailed"),
            vagueRow(PipelineRunCreationFailed, INCONCLUSIVE, "InitContainerFailed"),
            vagueRow(TaskFailed, STEP_RAN, "StepFailed", "SidecarFailed", "CrashLoopBackOff"),
            // A hook runs in a container that was started, although the kubelet shows that container as waiting.
            vagueRow(TaskFailed, STEP_RAN, "PostStartHookError", "PreStopHookError"),
            vagueRow(TaskFailed, STEP_RAN, "TaskRunResultLargerThanAllowedLimit"),
            vagueRow(TaskFailed, INCONCLUSIVE, "BackoffLimitExceeded", "PodFailurePolicy", "FailedIndexes"),
            vagueRow(TaskFailed, INCONCLUSIVE, "MaxFailedIndexesExceeded"));

    /** From the most telling to the least: a refused pull is often also forbidden, and quota always is. */
    private static final List<TextPattern> TEXT_PATTERNS = List.of(
            matchText(OOMKilled, "oomkilled", "out of memory"),
            matchText(
                    ImagePullBackOff,
                    "imagepullbackoff",
                    "errimagepull",
                    "pull image",
                    "pull the image",
                    "pull access"),
            matchText(ResourceExhausted, "quota", "insufficient cpu", "insufficient memory"),
            matchText(ResourceExhausted, "low on resource", "no space left"),
            matchText(Forbidden, "forbidden", "unauthorized", "permission denied", "access denied"),
            matchText(DeadlineExceeded, "deadline exceeded", "timed out", "timeout", "failed to finish within"),
            matchText(ConfigurationError, "not found", "no such", "does not exist", "invalid"),
            matchText(ConfigurationError, "couldn't resolve", "error resolving"));

    /** No failures: a container's turn has not come. */
    private static final Set<String> WAITING_REASONS = Set.of("", "ContainerCreating", "PodInitializing");

    private static final Map<String, ReasonRow> ROWS_BY_REASON = ROWS.stream()
            .flatMap(row -> row.reasons().stream().map(reason -> Map.entry(reason, row)))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private ReasonTable() {}

    /** What a reason means if it says why something failed. */
    static Optional<FailureReason> preciseReason(String reason) {
        return lookUp(reason).filter(row -> !row.vague()).map(ReasonRow::failureReason);
    }

    /** What a reason means, even if it only says where something failed. */
    static Optional<FailureReason> anyReason(String reason) {
        return lookUp(reason).map(ReasonRow::failureReason);
    }

    /** What a reason says by itself about whether a step had started. */
    static StartEvidence evidence(String reason) {
        return WAITING_REASONS.contains(reason)
                ? CONTAINER_NOT_STARTED
                : lookUp(reason).map(ReasonRow::evidence).orElse(INCONCLUSIVE);
    }

    /** What a text is likely to mean. */
    static Optional<FailureReason> matchText(String message) {
        String lower = message.toLowerCase(Locale.ROOT);
        return TEXT_PATTERNS.stream()
                .filter(text -> text.parts().stream().anyMatch(lower::contains))
                .map(TextPattern::failureReason)
                .findFirst();
    }

    /** The first of several, from the most specific to the least, that a rule knows. */
    static Optional<FailureReason> firstMatch(List<String> said, Function<String, Optional<FailureReason>> rule) {
        return said.stream().map(rule).flatMap(Optional::stream).findFirst();
    }

    private static Optional<ReasonRow> lookUp(String reason) {
        return Optional.ofNullable(ROWS_BY_REASON.get(reason));
    }

    private static ReasonRow row(FailureReason means, StartEvidence evidence, String... reasons) {
        return new ReasonRow(means, evidence, false, List.of(reasons));
    }

    private static ReasonRow vagueRow(FailureReason means, StartEvidence evidence, String... reasons) {
        return new ReasonRow(means, evidence, true, List.of(reasons));
    }

    private static TextPattern matchText(FailureReason means, String... parts) {
        return new TextPattern(means, List.of(parts));
    }
}
