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
import static dev.escapement.governor.failure.Started.NO;
import static dev.escapement.governor.failure.Started.UNKNOWN;
import static dev.escapement.governor.failure.Started.YES;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The words of Kubernetes, Tekton, Jobs and the process runner, and what they mean. */
final class Rules {

    /**
     * @param started what such a reason of a task or a run says by itself: {@code YES}, a step ran; {@code NO}, no step
     *     is needed for it; {@code UNKNOWN}, it happens both before and after a start
     * @param vague the reason says where it failed rather than why, so that exit codes and texts may know better
     */
    private record Row(FailureReason means, Started started, boolean vague, List<String> reasons) {}

    private record Text(FailureReason means, List<String> parts) {}

    private static final List<Row> ROWS = List.of(
            row(OOMKilled, YES, "OOMKilled", "StepOOM", "SidecarOOM"),
            row(OOMKilled, NO, "InitContainerOOM"),
            row(ImagePullBackOff, NO, "ImagePullBackOff", "ErrImagePull", "ErrImageNeverPull", "ImageInspectError"),
            row(ImagePullBackOff, NO, "InvalidImageName", "RegistryUnavailable", "SignatureValidationFailed"),
            row(ImagePullBackOff, NO, "TaskRunImagePullFailed", "PullImageFailed"),
            row(ResourceExhausted, NO, "ExceededResourceQuota", "ExceededNodeResources", "Unschedulable"),
            row(ResourceExhausted, NO, "OutOfcpu", "OutOfmemory", "OutOfpods", "OutOfephemeral-storage"),
            row(ResourceExhausted, UNKNOWN, "Evicted", "PodEvicted", "Preempting"),
            row(Forbidden, NO, "Forbidden", "Unauthorized", "PodAdmissionFailed"),
            row(ConfigurationError, NO, "CouldntGetPipeline", "CouldntGetTask", "ResourceVerificationFailed"),
            row(ConfigurationError, NO, "ResolutionFailed", "ResolutionTimedOut", "TaskRunResolutionFailed"),
            row(ConfigurationError, NO, "PipelineValidationFailed", "TaskRunValidationFailed", "TaskValidationFailed"),
            row(ConfigurationError, NO, "PipelineInvalidGraph", "InvalidWorkspaceBindings", "InvalidTaskRunSpecs"),
            row(ConfigurationError, NO, "InvalidPipelineResourceBindings", "RequiredWorkspaceMarkedOptional"),
            row(ConfigurationError, NO, "ParameterMissing", "ParameterTypeMismatch", "ObjectParameterMissKeys"),
            row(ConfigurationError, NO, "ParamArrayIndexingInvalid", "InvalidMatrixParameterTypes"),
            row(ConfigurationError, NO, "InvalidParamValue"),
            row(ConfigurationError, NO, "InvalidTaskResultReference", "InvalidPipelineResultReference"),
            row(ConfigurationError, UNKNOWN, "CELEvaluationFailed", "CouldntGetPipelineResult"),
            row(ConfigurationError, NO, "CreateContainerConfigError", "CreateContainerError", "RunContainerError"),
            row(ConfigurationError, NO, "StartError", "ContainerCannotRun"),
            row(ConfigurationError, NO, "WorkflowNotFound", "CommandNotFound", "NotExecutable"),
            row(DeadlineExceeded, YES, "TimeoutExceeded"),
            row(DeadlineExceeded, NO, "TaskRunTimeout", "PipelineRunTimeout", "DeadlineExceeded"),
            row(DeadlineExceeded, NO, "PipelineRunTimeoutRunningFinally", "PipelineRunCouldntTimeOut"),
            row(Cancelled, NO, "Cancelled", "TaskRunCancelled", "PipelineRunCancelled", "PipelineRunCouldntCancel"),
            row(Cancelled, NO, "CancelledRunningFinally", "StoppedRunningFinally", "PipelineRunStopping"),
            vague(PipelineRunCreationFailed, NO, "CreateRunFailed", "PodCreationFailed", "InitContainerFailed"),
            vague(TaskFailed, YES, "StepFailed", "SidecarFailed", "CrashLoopBackOff"),
            // A hook runs in a container that was started, although the kubelet shows that container as waiting.
            vague(TaskFailed, YES, "PostStartHookError", "PreStopHookError"),
            vague(TaskFailed, YES, "TaskRunResultLargerThanAllowedLimit"),
            vague(TaskFailed, UNKNOWN, "BackoffLimitExceeded", "PodFailurePolicy", "FailedIndexes"),
            vague(TaskFailed, UNKNOWN, "MaxFailedIndexesExceeded"));

    /** From the most telling to the least: a refused pull is often also forbidden, and quota always is. */
    private static final List<Text> TEXTS = List.of(
            text(OOMKilled, "oomkilled", "out of memory"),
            text(ImagePullBackOff, "imagepullbackoff", "errimagepull", "pull image", "pull the image", "pull access"),
            text(ResourceExhausted, "quota", "insufficient cpu", "insufficient memory"),
            text(ResourceExhausted, "low on resource", "no space left"),
            text(Forbidden, "forbidden", "unauthorized", "permission denied", "access denied"),
            text(DeadlineExceeded, "deadline exceeded", "timed out", "timeout", "failed to finish within"),
            text(ConfigurationError, "not found", "no such", "does not exist", "invalid"),
            text(ConfigurationError, "couldn't resolve", "error resolving"));

    private static final Set<String> NOT_YET = Set.of("", "ContainerCreating", "PodInitializing");

    private static final Map<String, Row> BY_REASON = ROWS.stream()
            .flatMap(row -> row.reasons().stream().map(reason -> Map.entry(reason, row)))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private Rules() {}

    /** What a reason means if it says why something failed. */
    static Optional<FailureReason> precise(String reason) {
        return lookUp(reason).filter(row -> !row.vague()).map(Row::means);
    }

    /** What a reason means, even if it only says where something failed. */
    static Optional<FailureReason> any(String reason) {
        return lookUp(reason).map(Row::means);
    }

    /** What the reason of a failed task or run says by itself about whether a step had started. */
    static Started startedBy(String reason) {
        return lookUp(reason).map(Row::started).orElse(UNKNOWN);
    }

    /** The same for the reason of a container that waits, where some reasons only say that its turn has not come. */
    static Started startedWaiting(String reason) {
        return NOT_YET.contains(reason) ? NO : startedBy(reason);
    }

    /** What a text is likely to mean. */
    static Optional<FailureReason> text(String message) {
        String lower = message.toLowerCase(Locale.ROOT);
        return TEXTS.stream()
                .filter(text -> text.parts().stream().anyMatch(lower::contains))
                .map(Text::means)
                .findFirst();
    }

    /** The first of several, from the most specific to the least, that a rule knows. */
    static Optional<FailureReason> first(List<String> said, Function<String, Optional<FailureReason>> rule) {
        return said.stream().map(rule).flatMap(Optional::stream).findFirst();
    }

    private static Optional<Row> lookUp(String reason) {
        return Optional.ofNullable(BY_REASON.get(reason));
    }

    private static Row row(FailureReason means, Started started, String... reasons) {
        return new Row(means, started, false, List.of(reasons));
    }

    private static Row vague(FailureReason means, Started started, String... reasons) {
        return new Row(means, started, true, List.of(reasons));
    }

    private static Text text(FailureReason means, String... parts) {
        return new Text(means, List.of(parts));
    }
}
