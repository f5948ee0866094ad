package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.RunFactsFixtures.classify;
import static dev.escapement.governor.failure.RunFactsFixtures.exited;
import static dev.escapement.governor.failure.RunFactsFixtures.neverStarted;
import static dev.escapement.governor.failure.RunFactsFixtures.run;
import static dev.escapement.governor.failure.RunFactsFixtures.running;
import static dev.escapement.governor.failure.RunFactsFixtures.task;
import static dev.escapement.governor.failure.RunFactsFixtures.waiting;
import static dev.escapement.governor.failure.RunFactsFixtures.withSecondIndex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FailureReasonTest {

    @Test
    void reasonsMatchSchema() {
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
     * Each line: reason, failure reason, and whether a step had started by the reason alone: of a container that waits
     * with it, of a failed task that lists no steps, and of a run that lists no tasks; all with complete facts.
     */
    @ParameterizedTest
    @CsvSource({
        "OOMKilled,                           OOMKilled,                 YES,     YES,     YES",
        "StepOOM,                             OOMKilled,                 YES,     YES,     YES",
        "SetupOOM,                            OOMKilled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "ImagePullBackOff,                    ImagePullBackOff,          NO,      UNKNOWN, UNKNOWN",
        "ErrImagePull,                        ImagePullBackOff,          NO,      UNKNOWN, UNKNOWN",
        "TaskImagePullFailed,                 ImagePullBackOff,          UNKNOWN, UNKNOWN, UNKNOWN",
        "NodesFull,                           ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "Unschedulable,                       ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "OutOfcpu,                            ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "Evicted,                             ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "PodEvicted,                          ResourceExhausted,         UNKNOWN, UNKNOWN, UNKNOWN",
        "Forbidden,                           Forbidden,                 UNKNOWN, UNKNOWN, NO",
        "DefinitionNotFound,                  ConfigurationError,        UNKNOWN, UNKNOWN, NO",
        "CreateContainerConfigError,          ConfigurationError,        NO,      UNKNOWN, UNKNOWN",
        "RunContainerError,                   ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "StartError,                          ConfigurationError,        UNKNOWN, UNKNOWN, UNKNOWN",
        "WorkflowNotFound,                    ConfigurationError,        NO,      NO,      NO",
        "CommandNotFound,                     ConfigurationError,        NO,      NO,      NO",
        "NotExecutable,                       ConfigurationError,        NO,      NO,      NO",
        "ExecutorNotFound,                    ConfigurationError,        NO,      NO,      NO",
        "StepTimeout,                         DeadlineExceeded,          YES,     YES,     YES",
        "TaskTimeout,                         DeadlineExceeded,          UNKNOWN, UNKNOWN, UNKNOWN",
        "RunTimeout,                          DeadlineExceeded,          UNKNOWN, UNKNOWN, UNKNOWN",
        "DeadlineExceeded,                    DeadlineExceeded,          UNKNOWN, UNKNOWN, UNKNOWN",
        "Cancelled,                           Cancelled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "TaskCancelled,                       Cancelled,                 UNKNOWN, UNKNOWN, UNKNOWN",
        "TaskCreationFailed,                  PipelineRunCreationFailed, UNKNOWN, UNKNOWN, NO",
        "PodCreationFailed,                   PipelineRunCreationFailed, UNKNOWN, UNKNOWN, UNKNOWN",
        "StepFailed,                          TaskFailed,                YES,     YES,     YES",
        "CrashLoopBackOff,                    TaskFailed,                YES,     YES,     YES",
        "PostStartHookError,                  TaskFailed,                YES,     YES,     YES",
        "PreStopHookError,                    TaskFailed,                YES,     YES,     YES",
        "BackoffLimitExceeded,                TaskFailed,                UNKNOWN, UNKNOWN, UNKNOWN",
        "Failed,                              TaskFailed,                UNKNOWN, UNKNOWN, UNKNOWN",
    })
    void mapsExecutorReason(
            String said, FailureReason expected, StartStatus inContainer, StartStatus inTask, StartStatus inRun) {
        Failure ofContainer = classify(
                run(RunEnd.TIMED_OUT, task(TaskState.PENDING, waiting(said))).asComplete());
        assertThat(ofContainer.startStatus()).isEqualTo(inContainer);

        Failure ofTask = classify(
                run(RunEnd.FAILED, task(TaskState.FAILED).withReason(said, "")).asComplete());
        assertThat(ofTask.reason()).isEqualTo(expected);
        assertThat(ofTask.startStatus()).isEqualTo(inTask);

        Failure ofRun = classify(run(RunEnd.FAILED).withReason(said, "").asComplete());
        assertThat(ofRun.reason()).isEqualTo(said.equals("Failed") ? FailureReason.Unknown : expected);
        assertThat(ofRun.startStatus()).isEqualTo(inRun);

        Failure ofRefusal = classify(run(RunEnd.REFUSED).withReason(said, ""));
        assertThat(ofRefusal.startStatus()).isEqualTo(inRun);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource
    void classifiesFacts(String situation, FailureReason expected, RunFacts facts) {
        assertThat(classify(facts).reason()).isEqualTo(expected);
    }

    static Stream<Arguments> classifiesFacts() {
        TaskFacts pulling = task(TaskState.PENDING, waiting("ErrImagePull"));
        TaskFacts exit1 = task(TaskState.FAILED, exited(1));
        return Stream.of(
                // The kind of end alone decides.
                arguments(
                        "invalid",
                        FailureReason.ValidationError,
                        run(RunEnd.INVALID).withReason("Forbidden", "")),
                arguments(
                        "cancelled",
                        FailureReason.Cancelled,
                        run(RunEnd.CANCELLED, exit1).withReason("Evicted", "")),
                arguments("deleted", FailureReason.PipelineRunDeleted, run(RunEnd.DELETED, exit1)),
                arguments(
                        "lost",
                        FailureReason.Unknown,
                        run(RunEnd.LOST, task(TaskState.RUNNING)).withReason("Evicted", "")),

                // A refusal: status, then reason, then text.
                arguments(
                        "403",
                        FailureReason.Forbidden,
                        run(RunEnd.REFUSED).withHttpStatus(403).withReason("OOMKilled", "")),
                arguments(
                        "403 for quota",
                        FailureReason.ResourceExhausted,
                        run(RunEnd.REFUSED).withHttpStatus(403).withReason("", "exceeded Quota: runs")),
                arguments(
                        "no such workflow",
                        FailureReason.ConfigurationError,
                        run(RunEnd.REFUSED).withReason("WorkflowNotFound", "quota")),
                arguments(
                        "refused with a text",
                        FailureReason.Forbidden,
                        run(RunEnd.REFUSED).withReason("", "permission denied")),
                arguments(
                        "refused with a vague reason",
                        FailureReason.PipelineRunCreationFailed,
                        run(RunEnd.REFUSED).withReason("PodCreationFailed", "")),
                arguments("refused without a word", FailureReason.PipelineRunCreationFailed, run(RunEnd.REFUSED)),

                // A timeout has the reason of what it waited for.
                arguments("timed out", FailureReason.DeadlineExceeded, run(RunEnd.TIMED_OUT)),
                arguments(
                        "timed out in a step",
                        FailureReason.DeadlineExceeded,
                        run(RunEnd.TIMED_OUT, task(TaskState.RUNNING, running()))),
                arguments(
                        "timed out and killed",
                        FailureReason.DeadlineExceeded,
                        run(RunEnd.TIMED_OUT, task(TaskState.FAILED, RunFactsFixtures.killed(9, "Error")))),
                arguments(
                        "timed out, and its task was cancelled therefore",
                        FailureReason.DeadlineExceeded,
                        run(RunEnd.TIMED_OUT, task(TaskState.FAILED, running()).withReason("TaskCancelled", ""))
                                .withReason("RunTimeout", "")),
                arguments(
                        "timed out pulling",
                        FailureReason.ImagePullBackOff,
                        run(RunEnd.TIMED_OUT, pulling).withReason("RunTimeout", "")),
                arguments(
                        "timed out without a node",
                        FailureReason.ResourceExhausted,
                        run(RunEnd.TIMED_OUT, task(TaskState.PENDING).withReason("NodesFull", ""))),
                arguments(
                        "timed out after a text",
                        FailureReason.DeadlineExceeded,
                        run(RunEnd.TIMED_OUT).withReason("", "forbidden")),

                // The container before the task, the task before the run.
                arguments(
                        "out of memory",
                        FailureReason.OOMKilled,
                        run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED, RunFactsFixtures.exited(137, "OOMKilled"))
                                        .withReason("StepFailed", ""))),
                arguments(
                        "a child was out of memory",
                        FailureReason.OOMKilled,
                        run(RunEnd.FAILED, task(TaskState.FAILED, RunFactsFixtures.exited(0, "OOMKilled")))),
                arguments(
                        "container before task",
                        FailureReason.ConfigurationError,
                        run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED, waiting("CreateContainerConfigError"))
                                        .withReason("PodEvicted", ""))),
                arguments(
                        "task before run",
                        FailureReason.ResourceExhausted,
                        run(RunEnd.FAILED, exit1.withReason("PodEvicted", "")).withReason("RunTimeout", "")),
                arguments(
                        "the second task's image",
                        FailureReason.ImagePullBackOff,
                        run(RunEnd.FAILED, task(TaskState.SUCCEEDED, exited(0)), withSecondIndex(pulling))),
                arguments(
                        "step timeout",
                        FailureReason.DeadlineExceeded,
                        run(RunEnd.FAILED, task(TaskState.FAILED, RunFactsFixtures.exited(1, "StepTimeout")))),
                arguments(
                        "command not found before anything ran",
                        FailureReason.ConfigurationError,
                        run(RunEnd.FAILED, task(TaskState.FAILED, neverStarted("CommandNotFound")))),

                // Exit codes and signals before text.
                arguments(
                        "exit 1",
                        FailureReason.TaskFailed,
                        run(RunEnd.FAILED, exit1.withReason("Failed", "forbidden"))),
                arguments(
                        "exit 137, memory not named",
                        FailureReason.TaskFailed,
                        run(RunEnd.FAILED, task(TaskState.FAILED, exited(137)).withReason("", "out of memory"))),
                arguments(
                        "exit 126", FailureReason.TaskFailed, run(RunEnd.FAILED, task(TaskState.FAILED, exited(126)))),
                arguments(
                        "exit 127", FailureReason.TaskFailed, run(RunEnd.FAILED, task(TaskState.FAILED, exited(127)))),
                arguments(
                        "SIGKILL",
                        FailureReason.TaskFailed,
                        run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED, RunFactsFixtures.killed(9, ""))
                                        .withReason("", "quota"))),

                // Text before vague reasons.
                arguments(
                        "text of a pod",
                        FailureReason.Forbidden,
                        run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED).withReason("PodCreationFailed", "pods \"x\" is forbidden"))),
                arguments(
                        "text of a step first",
                        FailureReason.ResourceExhausted,
                        run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED, new StepState.NeverStarted("", "No space left on device"))
                                        .withReason("", "invalid"))),
                arguments(
                        "text of the run last",
                        FailureReason.ConfigurationError,
                        run(RunEnd.FAILED, task(TaskState.FAILED)).withReason("", "task not found")),
                arguments(
                        "Job",
                        FailureReason.TaskFailed,
                        run(RunEnd.FAILED, exit1).withReason("BackoffLimitExceeded", "Job has reached the limit")),

                // Nothing reported.
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
    void fallsBackToMessageText(String text, FailureReason expected) {
        assertThat(classify(run(RunEnd.FAILED).withReason("", text)).reason()).isEqualTo(expected);
    }

    @Test
    void messageTextNeverDecidesStartStatus() {
        for (String text : List.of("ImagePullBackOff", "exited with code 1", "Skipped", "forbidden", "")) {
            assertThat(classify(run(RunEnd.FAILED).withReason("", text).asComplete())
                            .startStatus())
                    .isEqualTo(StartStatus.UNKNOWN);
            assertThat(classify(run(RunEnd.TIMED_OUT).withReason("", text).asComplete())
                            .startStatus())
                    .isEqualTo(StartStatus.NO);
        }
    }
}
