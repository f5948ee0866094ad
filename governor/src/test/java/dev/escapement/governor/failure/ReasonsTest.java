package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.Facts.classify;
import static dev.escapement.governor.failure.Facts.exited;
import static dev.escapement.governor.failure.Facts.never;
import static dev.escapement.governor.failure.Facts.run;
import static dev.escapement.governor.failure.Facts.running;
import static dev.escapement.governor.failure.Facts.second;
import static dev.escapement.governor.failure.Facts.task;
import static dev.escapement.governor.failure.Facts.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.escapement.governor.failure.StepState.Terminated;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** SPEC W5: which facts give which code. */
class ReasonsTest {

    @Test
    void theCodesAreThoseOfTheSchema() {
        assertThat(Arrays.stream(FailureReason.values()).map(Enum::name))
                .containsExactly(
                        "OOMKilled",
                        "DeadlineExceeded",
                        "Forbidden",
                        "ResourceExhausted",
                        "ConfigurationError",
                        "ImagePullBackOff",
                        "TaskFailed",
                        "PipelineRunCreationFailed",
                        "PipelineRunDeleted",
                        "ValidationError",
                        "Cancelled",
                        "Unknown");
        assertThat(FailureReason.values())
                .allSatisfy(reason -> assertThat(reason.advice()).isNotBlank().doesNotEndWith("."));
    }

    /**
     * The third column: what the reason of a failed task says by itself, if everything was seen and it lists no steps.
     */
    @ParameterizedTest
    @CsvSource({
        "OOMKilled,                        OOMKilled,          YES",
        "StepOOM,                          OOMKilled,          YES",
        "SidecarOOM,                       OOMKilled,          YES",
        "InitContainerOOM,                 OOMKilled,          NO",
        "ImagePullBackOff,                 ImagePullBackOff,   NO",
        "ErrImagePull,                     ImagePullBackOff,   NO",
        "ErrImageNeverPull,                ImagePullBackOff,   NO",
        "ImageInspectError,                ImagePullBackOff,   NO",
        "InvalidImageName,                 ImagePullBackOff,   NO",
        "RegistryUnavailable,              ImagePullBackOff,   NO",
        "SignatureValidationFailed,        ImagePullBackOff,   NO",
        "TaskRunImagePullFailed,           ImagePullBackOff,   NO",
        "PullImageFailed,                  ImagePullBackOff,   NO",
        "ExceededResourceQuota,            ResourceExhausted,  NO",
        "ExceededNodeResources,            ResourceExhausted,  NO",
        "Unschedulable,                    ResourceExhausted,  NO",
        "OutOfcpu,                         ResourceExhausted,  NO",
        "OutOfmemory,                      ResourceExhausted,  NO",
        "OutOfpods,                        ResourceExhausted,  NO",
        "OutOfephemeral-storage,           ResourceExhausted,  NO",
        "Evicted,                          ResourceExhausted,  UNKNOWN",
        "PodEvicted,                       ResourceExhausted,  UNKNOWN",
        "Preempting,                       ResourceExhausted,  UNKNOWN",
        "Forbidden,                        Forbidden,          NO",
        "Unauthorized,                     Forbidden,          NO",
        "PodAdmissionFailed,               Forbidden,          NO",
        "CouldntGetPipeline,               ConfigurationError, NO",
        "CouldntGetTask,                   ConfigurationError, NO",
        "ResourceVerificationFailed,       ConfigurationError, NO",
        "ResolutionFailed,                 ConfigurationError, NO",
        "ResolutionTimedOut,               ConfigurationError, NO",
        "TaskRunResolutionFailed,          ConfigurationError, NO",
        "PipelineValidationFailed,         ConfigurationError, NO",
        "TaskRunValidationFailed,          ConfigurationError, NO",
        "TaskValidationFailed,             ConfigurationError, NO",
        "PipelineInvalidGraph,             ConfigurationError, NO",
        "InvalidWorkspaceBindings,         ConfigurationError, NO",
        "InvalidTaskRunSpecs,              ConfigurationError, NO",
        "InvalidPipelineResourceBindings,  ConfigurationError, NO",
        "RequiredWorkspaceMarkedOptional,  ConfigurationError, NO",
        "ParameterMissing,                 ConfigurationError, NO",
        "ParameterTypeMismatch,            ConfigurationError, NO",
        "ObjectParameterMissKeys,          ConfigurationError, NO",
        "ParamArrayIndexingInvalid,        ConfigurationError, NO",
        "InvalidMatrixParameterTypes,      ConfigurationError, NO",
        "InvalidParamValue,                ConfigurationError, NO",
        "InvalidTaskResultReference,       ConfigurationError, NO",
        "InvalidPipelineResultReference,   ConfigurationError, NO",
        "CELEvaluationFailed,              ConfigurationError, UNKNOWN",
        "CouldntGetPipelineResult,         ConfigurationError, UNKNOWN",
        "CreateContainerConfigError,       ConfigurationError, NO",
        "CreateContainerError,             ConfigurationError, NO",
        "RunContainerError,                ConfigurationError, NO",
        "StartError,                       ConfigurationError, NO",
        "ContainerCannotRun,               ConfigurationError, NO",
        "WorkflowNotFound,                 ConfigurationError, NO",
        "CommandNotFound,                  ConfigurationError, NO",
        "NotExecutable,                    ConfigurationError, NO",
        "TimeoutExceeded,                  DeadlineExceeded,   YES",
        "TaskRunTimeout,                   DeadlineExceeded,   NO",
        "PipelineRunTimeout,               DeadlineExceeded,   NO",
        "DeadlineExceeded,                 DeadlineExceeded,   NO",
        "PipelineRunTimeoutRunningFinally, DeadlineExceeded,   NO",
        "PipelineRunCouldntTimeOut,        DeadlineExceeded,   NO",
        "Cancelled,                        Cancelled,          NO",
        "TaskRunCancelled,                 Cancelled,          NO",
        "PipelineRunCancelled,             Cancelled,          NO",
        "PipelineRunCouldntCancel,         Cancelled,          NO",
        "CancelledRunningFinally,          Cancelled,          NO",
        "StoppedRunningFinally,            Cancelled,          NO",
        "PipelineRunStopping,              Cancelled,          NO",
        "CreateRunFailed,                  PipelineRunCreationFailed, NO",
        "PodCreationFailed,                PipelineRunCreationFailed, NO",
        "InitContainerFailed,              PipelineRunCreationFailed, NO",
        "StepFailed,                       TaskFailed,         YES",
        "SidecarFailed,                    TaskFailed,         YES",
        "CrashLoopBackOff,                 TaskFailed,         YES",
        "PostStartHookError,               TaskFailed,         YES",
        "PreStopHookError,                 TaskFailed,         YES",
        "TaskRunResultLargerThanAllowedLimit, TaskFailed,      YES",
        "BackoffLimitExceeded,             TaskFailed,         UNKNOWN",
        "PodFailurePolicy,                 TaskFailed,         UNKNOWN",
        "FailedIndexes,                    TaskFailed,         UNKNOWN",
        "MaxFailedIndexesExceeded,         TaskFailed,         UNKNOWN",
        "Failed,                           TaskFailed,         UNKNOWN",
    })
    void aReasonGivesItsCode(String said, FailureReason expected, Started started) {
        Failure ofTask = classify(
                run(RunEnd.FAILED, task(TaskState.FAILED).because(said, "")).andThatIsAll());
        assertThat(ofTask.reason()).isEqualTo(expected);
        assertThat(ofTask.started()).isEqualTo(started);

        Failure ofRun = classify(run(RunEnd.FAILED).because(said, "").andThatIsAll());
        assertThat(ofRun.reason()).isEqualTo(said.equals("Failed") ? FailureReason.Unknown : expected);
        assertThat(ofRun.started()).isEqualTo(started);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource
    void factsGiveACode(String situation, FailureReason expected, RunFacts facts) {
        assertThat(classify(facts).reason()).isEqualTo(expected);
    }

    static Stream<Arguments> factsGiveACode() {
        TaskFacts pulling = task(TaskState.PENDING, waiting("ErrImagePull"));
        TaskFacts exit1 = task(TaskState.FAILED, exited(1));
        return Stream.of(
                // How it ended decides alone.
                arguments(
                        "invalid",
                        FailureReason.ValidationError,
                        run(RunEnd.INVALID).because("Forbidden", "")),
                arguments(
                        "cancelled",
                        FailureReason.Cancelled,
                        run(RunEnd.CANCELLED, exit1).because("Evicted", "")),
                arguments("deleted", FailureReason.PipelineRunDeleted, run(RunEnd.DELETED, exit1)),
                arguments(
                        "lost",
                        FailureReason.Unknown,
                        run(RunEnd.LOST, task(TaskState.RUNNING)).because("Evicted", "")),

                // A refusal: status, then reason, then text.
                arguments(
                        "403",
                        FailureReason.Forbidden,
                        run(RunEnd.REFUSED).refusedWith(403).because("OOMKilled", "")),
                arguments(
                        "403 for quota",
                        FailureReason.ResourceExhausted,
                        run(RunEnd.REFUSED).refusedWith(403).because("", "exceeded Quota: runs")),
                arguments(
                        "no such workflow",
                        FailureReason.ConfigurationError,
                        run(RunEnd.REFUSED).because("WorkflowNotFound", "quota")),
                arguments(
                        "refused with a text",
                        FailureReason.Forbidden,
                        run(RunEnd.REFUSED).because("", "permission denied")),
                arguments(
                        "refused with a vague reason",
                        FailureReason.PipelineRunCreationFailed,
                        run(RunEnd.REFUSED).because("PodCreationFailed", "")),
                arguments("refused without a word", FailureReason.PipelineRunCreationFailed, run(RunEnd.REFUSED)),

                // A timeout is told by what it waited for.
                arguments("timed out", FailureReason.DeadlineExceeded, run(RunEnd.TIMED_OUT)),
                arguments(
                        "timed out in a step",
                        FailureReason.DeadlineExceeded,
                        run(RunEnd.TIMED_OUT, task(TaskState.RUNNING, running()))),
                arguments(
                        "timed out and killed",
                        FailureReason.DeadlineExceeded,
                        run(RunEnd.TIMED_OUT, task(TaskState.FAILED, Terminated.killed(9, "Error")))),
                arguments(
                        "timed out pulling",
                        FailureReason.ImagePullBackOff,
                        run(RunEnd.TIMED_OUT, pulling).because("PipelineRunTimeout", "")),
                arguments(
                        "timed out without a node",
                        FailureReason.ResourceExhausted,
                        run(RunEnd.TIMED_OUT, task(TaskState.PENDING).because("ExceededNodeResources", ""))),
                arguments(
                        "timed out after a text",
                        FailureReason.DeadlineExceeded,
                        run(RunEnd.TIMED_OUT).because("", "forbidden")),

                // The container before the task, the task before the run.
                arguments(
                        "out of memory",
                        FailureReason.OOMKilled,
                        run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED, Terminated.exited(137, "OOMKilled"))
                                        .because("StepFailed", ""))),
                arguments(
                        "a child was out of memory",
                        FailureReason.OOMKilled,
                        run(RunEnd.FAILED, task(TaskState.FAILED, Terminated.exited(0, "OOMKilled")))),
                arguments(
                        "container before task",
                        FailureReason.ConfigurationError,
                        run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED, waiting("CreateContainerConfigError"))
                                        .because("PodEvicted", ""))),
                arguments(
                        "task before run",
                        FailureReason.ResourceExhausted,
                        run(RunEnd.FAILED, exit1.because("PodEvicted", "")).because("PipelineRunTimeout", "")),
                arguments(
                        "the second task's image",
                        FailureReason.ImagePullBackOff,
                        run(RunEnd.FAILED, task(TaskState.SUCCEEDED, exited(0)), second(pulling))),
                arguments(
                        "step timeout",
                        FailureReason.DeadlineExceeded,
                        run(RunEnd.FAILED, task(TaskState.FAILED, Terminated.exited(1, "TimeoutExceeded")))),
                arguments(
                        "command not found before anything ran",
                        FailureReason.ConfigurationError,
                        run(RunEnd.FAILED, task(TaskState.FAILED, never("CommandNotFound")))),

                // Exit codes and signals before text.
                arguments("exit 1", FailureReason.TaskFailed, run(RunEnd.FAILED, exit1.because("Failed", "forbidden"))),
                arguments(
                        "exit 137, memory not named",
                        FailureReason.TaskFailed,
                        run(RunEnd.FAILED, task(TaskState.FAILED, exited(137)).because("", "out of memory"))),
                arguments(
                        "exit 126", FailureReason.TaskFailed, run(RunEnd.FAILED, task(TaskState.FAILED, exited(126)))),
                arguments(
                        "exit 127", FailureReason.TaskFailed, run(RunEnd.FAILED, task(TaskState.FAILED, exited(127)))),
                arguments(
                        "SIGKILL",
                        FailureReason.TaskFailed,
                        run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED, Terminated.killed(9, "")).because("", "quota"))),

                // Text before what only says where.
                arguments(
                        "text of a pod",
                        FailureReason.Forbidden,
                        run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED).because("PodCreationFailed", "pods \"x\" is forbidden"))),
                arguments(
                        "text of a step first",
                        FailureReason.ResourceExhausted,
                        run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED, new StepState.NeverStarted("", "No space left on device"))
                                        .because("", "invalid"))),
                arguments(
                        "text of the run last",
                        FailureReason.ConfigurationError,
                        run(RunEnd.FAILED, task(TaskState.FAILED)).because("", "task not found")),
                arguments(
                        "Job",
                        FailureReason.TaskFailed,
                        run(RunEnd.FAILED, exit1).because("BackoffLimitExceeded", "Job has reached the limit")),

                // Nothing said.
                arguments("a failed task", FailureReason.TaskFailed, run(RunEnd.FAILED, task(TaskState.FAILED))),
                arguments("a running task", FailureReason.Unknown, run(RunEnd.FAILED, task(TaskState.RUNNING))),
                arguments("nothing at all", FailureReason.Unknown, run(RunEnd.FAILED)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "container was OOMKilled                                       | OOMKilled",
                "fork: out of memory                                           | OOMKilled",
                "Back-off: ImagePullBackOff                                    | ImagePullBackOff",
                "ErrImagePull                                                  | ImagePullBackOff",
                "Failed to pull image \"x\": 403 Forbidden                     | ImagePullBackOff",
                "failed to pull the image \"x\"                                | ImagePullBackOff",
                "pull access denied for x                                      | ImagePullBackOff",
                "pods \"x\" is forbidden: exceeded quota: compute              | ResourceExhausted",
                "0/3 nodes are available: 3 Insufficient cpu.                  | ResourceExhausted",
                "0/3 nodes are available: 3 Insufficient memory.               | ResourceExhausted",
                "The node was low on resource: ephemeral-storage.              | ResourceExhausted",
                "write: no space left on device                                | ResourceExhausted",
                "pods is forbidden: User cannot create resource                | Forbidden",
                "Unauthorized                                                  | Forbidden",
                "exec: permission denied                                       | Forbidden",
                "Access denied                                                 | Forbidden",
                "context deadline exceeded                                     | DeadlineExceeded",
                "it timed out                                                  | DeadlineExceeded",
                "read timeout                                                  | DeadlineExceeded",
                "TaskRun \"x\" failed to finish within \"1h\"                  | DeadlineExceeded",
                "tasks \"x\" not found                                         | ConfigurationError",
                "no such host                                                  | ConfigurationError",
                "the bundle does not exist                                     | ConfigurationError",
                "invalid value                                                 | ConfigurationError",
                "couldn't resolve the pipeline                                 | ConfigurationError",
                "error resolving x                                             | ConfigurationError",
                "Tasks Completed: 1 (Failed: 1, Cancelled 0), Skipped: 2       | Unknown",
            })
    void withoutStructuredFactsTheTextIsAsked(String text, FailureReason expected) {
        assertThat(classify(run(RunEnd.FAILED).because("", text)).reason()).isEqualTo(expected);
    }

    @Test
    void aTextNeverDecidesWhetherSomethingRan() {
        for (String text : List.of("ImagePullBackOff", "exited with code 1", "Skipped", "forbidden", "")) {
            assertThat(classify(run(RunEnd.FAILED).because("", text).andThatIsAll())
                            .started())
                    .isEqualTo(Started.UNKNOWN);
            assertThat(classify(run(RunEnd.TIMED_OUT).because("", text).andThatIsAll())
                            .started())
                    .isEqualTo(Started.NO);
        }
    }
}
