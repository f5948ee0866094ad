package dev.escapement.kubernetes.run.tekton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepState.Waiting;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.kubernetes.run.KubernetesReasons;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TektonReasonsTest {

    /**
     * Each line: reason, failure reason, and whether a step had started by the reason alone: of a container that waits
     * with it, of a failed task that lists no steps, and of a run that lists no tasks; all with complete facts.
     */
    @ParameterizedTest
    @CsvSource({
        "OOMKilled,                           OOMKilled,                 YES,     YES,     YES",
        "StepOOM,                             OOMKilled,                 YES,     YES,     YES",
        "SidecarOOM,                          OOMKilled,                 YES,     YES,     YES",
        "InitContainerOOM,                    OOMKilled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "ImagePullBackOff,                    ImagePullBackOff,          NO,      UNKNOWN, UNKNOWN",
        "ErrImagePull,                        ImagePullBackOff,          NO,      UNKNOWN, UNKNOWN",
        "ErrImageNeverPull,                   ImagePullBackOff,          NO,      UNKNOWN, UNKNOWN",
        "ImageInspectError,                   ImagePullBackOff,          NO,      UNKNOWN, UNKNOWN",
        "InvalidImageName,                    ImagePullBackOff,          NO,      UNKNOWN, UNKNOWN",
        "RegistryUnavailable,                 ImagePullBackOff,          NO,      UNKNOWN, UNKNOWN",
        "SignatureValidationFailed,           ImagePullBackOff,          NO,      UNKNOWN, UNKNOWN",
        "TaskRunImagePullFailed,              ImagePullBackOff,          UNKNOWN, UNKNOWN, UNKNOWN",
        "PullImageFailed,                     ImagePullBackOff,          UNKNOWN, UNKNOWN, UNKNOWN",
        "ExceededResourceQuota,               ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "ExceededNodeResources,               ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "Unschedulable,                       ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "OutOfcpu,                            ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "OutOfmemory,                         ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "OutOfpods,                           ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "OutOfephemeral-storage,              ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "Evicted,                             ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "PodEvicted,                          ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "Preempting,                          ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "Forbidden,                           Forbidden,                 UNKNOWN, UNKNOWN, NO",
        "Unauthorized,                        Forbidden,                 UNKNOWN, UNKNOWN, NO",
        "PodAdmissionFailed,                  Forbidden,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "CouldntGetPipeline,                  ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "CouldntGetTask,                      ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "ResourceVerificationFailed,          ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "ResolutionFailed,                    ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "ResolutionTimedOut,                  ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "TaskRunResolutionFailed,             ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "PipelineValidationFailed,            ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "TaskRunValidationFailed,             ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "TaskValidationFailed,                ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "PipelineInvalidGraph,                ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "InvalidWorkspaceBindings,            ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "InvalidTaskRunSpecs,                 ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "InvalidPipelineResourceBindings,     ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "RequiredWorkspaceMarkedOptional,     ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "ParameterMissing,                    ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "ParameterTypeMismatch,               ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "ObjectParameterMissKeys,             ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "ParamArrayIndexingInvalid,           ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "InvalidMatrixParameterTypes,         ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "InvalidParamValue,                   ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "InvalidTaskResultReference,          ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "InvalidPipelineResultReference,      ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "CELEvaluationFailed,                 ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "CouldntGetPipelineResult,            ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "CreateContainerConfigError,          ConfigurationError,        NO,      UNKNOWN, UNKNOWN",
        "CreateContainerError,                ConfigurationError,        NO,      UNKNOWN, UNKNOWN",
        "RunContainerError,                   ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "StartError,                          ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "ContainerCannotRun,                  ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "WorkflowNotFound,                    ConfigurationError,        NO,      NO,      NO",
        "CommandNotFound,                     ConfigurationError,        NO,      NO,      NO",
        "NotExecutable,                       ConfigurationError,        NO,      NO,      NO",
        "ExecutorNotFound,                    ConfigurationError,        NO,      NO,      NO",
        "TimeoutExceeded,                     DeadlineExceeded,          YES,     YES,     YES",
        "TaskRunTimeout,                      DeadlineExceeded,          UNKNOWN, UNKNOWN, UNKNOWN",
        "PipelineRunTimeout,                  DeadlineExceeded,          UNKNOWN, UNKNOWN, UNKNOWN",
        "DeadlineExceeded,                    DeadlineExceeded,          UNKNOWN, UNKNOWN, UNKNOWN",
        "PipelineRunTimeoutRunningFinally,    DeadlineExceeded,          UNKNOWN, UNKNOWN, UNKNOWN",
        "PipelineRunCouldntTimeOut,           DeadlineExceeded,          UNKNOWN, UNKNOWN, UNKNOWN",
        "Cancelled,                           Cancelled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "TaskRunCancelled,                    Cancelled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "PipelineRunCancelled,                Cancelled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "PipelineRunCouldntCancel,            Cancelled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "CancelledRunningFinally,             Cancelled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "StoppedRunningFinally,               Cancelled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "PipelineRunStopping,                 Cancelled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "CreateRunFailed,                     PipelineRunCreationFailed, UNKNOWN, UNKNOWN, NO",
        "PodCreationFailed,                   PipelineRunCreationFailed, UNKNOWN, UNKNOWN, UNKNOWN",
        "InitContainerFailed,                 PipelineRunCreationFailed, UNKNOWN, UNKNOWN, UNKNOWN",
        "StepFailed,                          TaskFailed,                YES,     YES,     YES",
        "SidecarFailed,                       TaskFailed,                YES,     YES,     YES",
        "CrashLoopBackOff,                    TaskFailed,                YES,     YES,     YES",
        "PostStartHookError,                  TaskFailed,                YES,     YES,     YES",
        "PreStopHookError,                    TaskFailed,                YES,     YES,     YES",
        "TaskRunResultLargerThanAllowedLimit, TaskFailed,                YES,     YES,     YES",
        "BackoffLimitExceeded,                TaskFailed,                UNKNOWN, UNKNOWN, UNKNOWN",
        "PodFailurePolicy,                    TaskFailed,                UNKNOWN, UNKNOWN, UNKNOWN",
        "FailedIndexes,                       TaskFailed,                UNKNOWN, UNKNOWN, UNKNOWN",
        "MaxFailedIndexesExceeded,            TaskFailed,                UNKNOWN, UNKNOWN, UNKNOWN",
        "Failed,                              TaskFailed,                UNKNOWN, UNKNOWN, UNKNOWN",
    })
    void mapsReason(
            String reason, FailureReason expected, StartStatus inContainer, StartStatus inTask, StartStatus inRun) {
        TaskFacts waiting =
                TaskFacts.of(0, "fix", TaskState.PENDING).withSteps(StepFacts.step("s0", new Waiting(reason, "")));
        assertThat(StartStatus.of(run(RunEnd.TIMED_OUT, waiting).asComplete())).isEqualTo(inContainer);

        Failure ofTask = classify(
                run(RunEnd.FAILED, TaskFacts.of(0, "fix", TaskState.FAILED).withReason(reason, "")));
        assertThat(ofTask.reason()).isEqualTo(expected);
        assertThat(ofTask.startStatus()).isEqualTo(inTask);

        Failure ofRun = classify(run(RunEnd.FAILED).withReason(reason, ""));
        assertThat(ofRun.reason()).isEqualTo(reason.equals("Failed") ? FailureReason.Unknown : expected);
        assertThat(ofRun.startStatus()).isEqualTo(inRun);

        assertThat(StartStatus.of(run(RunEnd.REFUSED).withReason(reason, ""))).isEqualTo(inRun);
    }

    private static RunFacts run(RunEnd end, TaskFacts... tasks) {
        return RunFacts.of(end, Instant.EPOCH)
                .withReasonTable(KubernetesReasons.TEKTON_TABLE)
                .tasks(1, List.of(tasks));
    }

    private static Failure classify(RunFacts run) {
        return FailureClassifier.classify("repair", "node/worker-1", run.asComplete());
    }
}
