package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.Evidence.CONTAINER_WAITS;
import static dev.escapement.governor.failure.Evidence.NOT_SPAWNED;
import static dev.escapement.governor.failure.Evidence.OPEN;
import static dev.escapement.governor.failure.Evidence.RAN;
import static dev.escapement.governor.failure.Evidence.RUN_STUCK;
import static dev.escapement.governor.failure.FailureReason.Cancelled;
import static dev.escapement.governor.failure.FailureReason.ConfigurationError;
import static dev.escapement.governor.failure.FailureReason.DeadlineExceeded;
import static dev.escapement.governor.failure.FailureReason.Forbidden;
import static dev.escapement.governor.failure.FailureReason.ImagePullBackOff;
import static dev.escapement.governor.failure.FailureReason.OOMKilled;
import static dev.escapement.governor.failure.FailureReason.PipelineRunCreationFailed;
import static dev.escapement.governor.failure.FailureReason.ResourceExhausted;
import static dev.escapement.governor.failure.FailureReason.TaskFailed;

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
     * @param evidence what the reason says by itself about a start. In doubt {@code OPEN}
     * @param vague the reason says where it failed rather than why, so that exit codes and texts may know better
     */
    private record Row(FailureReason means, Evidence evidence, boolean vague, List<String> reasons) {}

    private record Text(FailureReason means, List<String> parts) {}

    private static final List<Row> ROWS = List.of(
            row(OOMKilled, RAN, "OOMKilled", "StepOOM", "SidecarOOM"),
            // Tekton looks at init containers first, and a mesh's proxy that is one ends after the steps.
            row(OOMKilled, OPEN, "InitContainerOOM"),
            row(ImagePullBackOff, CONTAINER_WAITS, "ImagePullBackOff", "ErrImagePull", "ErrImageNeverPull"),
            row(ImagePullBackOff, CONTAINER_WAITS, "ImageInspectError", "InvalidImageName", "RegistryUnavailable"),
            row(ImagePullBackOff, CONTAINER_WAITS, "SignatureValidationFailed"),
            // One image of the pod is enough for it, and the sidecars that have theirs do not wait.
            row(ImagePullBackOff, OPEN, "TaskRunImagePullFailed", "PullImageFailed"),
            // Tekton creates a second pod for a task whose running pod was deleted, and that one may find no room.
            row(ResourceExhausted, OPEN, "ExceededResourceQuota", "ExceededNodeResources", "Unschedulable"),
            // A kubelet that restarts admits the pods that it runs anew, and may refuse them then.
            row(ResourceExhausted, OPEN, "OutOfcpu", "OutOfmemory", "OutOfpods", "OutOfephemeral-storage"),
            row(ResourceExhausted, OPEN, "Evicted", "PodEvicted", "Preempting"),
            row(Forbidden, RUN_STUCK, "Forbidden", "Unauthorized"),
            // The second pod again: the rules may have changed since the first.
            row(Forbidden, OPEN, "PodAdmissionFailed"),
            row(ConfigurationError, RUN_STUCK, "CouldntGetPipeline", "CouldntGetTask", "ResourceVerificationFailed"),
            row(ConfigurationError, RUN_STUCK, "ResolutionFailed", "ResolutionTimedOut"),
            row(ConfigurationError, RUN_STUCK, "PipelineValidationFailed", "PipelineInvalidGraph"),
            row(ConfigurationError, RUN_STUCK, "InvalidWorkspaceBindings", "InvalidTaskRunSpecs"),
            row(ConfigurationError, RUN_STUCK, "InvalidPipelineResourceBindings", "RequiredWorkspaceMarkedOptional"),
            row(ConfigurationError, RUN_STUCK, "ParameterMissing", "ParameterTypeMismatch", "ObjectParameterMissKeys"),
            row(ConfigurationError, RUN_STUCK, "ParamArrayIndexingInvalid", "InvalidPipelineResultReference"),
            // Results that steps wrote are validated too, with the same word.
            row(ConfigurationError, OPEN, "TaskRunValidationFailed"),
            // Tekton resolves again if it crashed after it had created the pod and before it noted so.
            row(ConfigurationError, OPEN, "TaskRunResolutionFailed", "TaskValidationFailed"),
            // Parameters, matrices and conditions are checked with the results of the tasks that ran before.
            row(ConfigurationError, OPEN, "InvalidParamValue", "InvalidMatrixParameterTypes", "CELEvaluationFailed"),
            row(ConfigurationError, OPEN, "InvalidTaskResultReference", "CouldntGetPipelineResult"),
            row(ConfigurationError, CONTAINER_WAITS, "CreateContainerConfigError", "CreateContainerError"),
            // A start that the runtime did not confirm in time may have taken place.
            row(ConfigurationError, OPEN, "RunContainerError", "StartError", "ContainerCannotRun"),
            row(ConfigurationError, NOT_SPAWNED, "WorkflowNotFound", "CommandNotFound", "NotExecutable"),
            row(ConfigurationError, NOT_SPAWNED, "ExecutorNotFound"),
            row(DeadlineExceeded, RAN, "TimeoutExceeded"),
            // Time runs out, and people change their minds, before a start and after it.
            row(DeadlineExceeded, OPEN, "TaskRunTimeout", "PipelineRunTimeout", "DeadlineExceeded"),
            row(DeadlineExceeded, OPEN, "PipelineRunTimeoutRunningFinally", "PipelineRunCouldntTimeOut"),
            row(Cancelled, OPEN, "Cancelled", "TaskRunCancelled", "PipelineRunCancelled", "PipelineRunCouldntCancel"),
            row(Cancelled, OPEN, "CancelledRunningFinally", "StoppedRunningFinally", "PipelineRunStopping"),
            // Some tasks may run when another one is refused. Tekton does not list them then, so whoever says that all
            // were seen has looked for them.
            vague(PipelineRunCreationFailed, RUN_STUCK, "CreateRunFailed"),
            // Also Tekton's word for one container that could not be created while others of the pod run.
            vague(PipelineRunCreationFailed, OPEN, "PodCreationFailed"),
            vague(PipelineRunCreationFailed, OPEN, "InitContainerFailed"),
            vague(TaskFailed, RAN, "StepFailed", "SidecarFailed", "CrashLoopBackOff"),
            // A hook runs in a container that was started, although the kubelet shows that container as waiting.
            vague(TaskFailed, RAN, "PostStartHookError", "PreStopHookError"),
            vague(TaskFailed, RAN, "TaskRunResultLargerThanAllowedLimit"),
            vague(TaskFailed, OPEN, "BackoffLimitExceeded", "PodFailurePolicy", "FailedIndexes"),
            vague(TaskFailed, OPEN, "MaxFailedIndexesExceeded"));

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

    /** No failures: a container's turn has not come. */
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

    /** What a reason says by itself about whether a step had started. */
    static Evidence evidence(String reason) {
        return NOT_YET.contains(reason)
                ? CONTAINER_WAITS
                : lookUp(reason).map(Row::evidence).orElse(OPEN);
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

    private static Row row(FailureReason means, Evidence evidence, String... reasons) {
        return new Row(means, evidence, false, List.of(reasons));
    }

    private static Row vague(FailureReason means, Evidence evidence, String... reasons) {
        return new Row(means, evidence, true, List.of(reasons));
    }

    private static Text text(FailureReason means, String... parts) {
        return new Text(means, List.of(parts));
    }
}
