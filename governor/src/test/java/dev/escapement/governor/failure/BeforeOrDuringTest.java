package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.Facts.classify;
import static dev.escapement.governor.failure.Facts.cutOff;
import static dev.escapement.governor.failure.Facts.exited;
import static dev.escapement.governor.failure.Facts.never;
import static dev.escapement.governor.failure.Facts.run;
import static dev.escapement.governor.failure.Facts.running;
import static dev.escapement.governor.failure.Facts.second;
import static dev.escapement.governor.failure.Facts.task;
import static dev.escapement.governor.failure.Facts.waiting;
import static dev.escapement.governor.failure.RunEnd.CANCELLED;
import static dev.escapement.governor.failure.RunEnd.DELETED;
import static dev.escapement.governor.failure.RunEnd.FAILED;
import static dev.escapement.governor.failure.RunEnd.INVALID;
import static dev.escapement.governor.failure.RunEnd.LOST;
import static dev.escapement.governor.failure.RunEnd.REFUSED;
import static dev.escapement.governor.failure.RunEnd.TIMED_OUT;
import static dev.escapement.governor.failure.Started.NO;
import static dev.escapement.governor.failure.Started.UNKNOWN;
import static dev.escapement.governor.failure.Started.YES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** SPEC W4, row by row. */
class BeforeOrDuringTest {

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource
    void hadAStepStarted(String situation, Started expected, RunFacts facts) {
        Failure failure = classify(facts);
        assertThat(failure.started()).isEqualTo(expected);
        assertThat(failure.wasExecutionFailure()).isEqualTo(expected != NO);
        assertThat(failure.requiresManualReview()).isEqualTo(expected != NO);
    }

    static Stream<Arguments> hadAStepStarted() {
        TaskFacts done = task(TaskState.SUCCEEDED, exited(0));
        TaskFacts pulling = task(TaskState.PENDING, waiting("ImagePullBackOff"));
        TaskFacts failed = task(TaskState.FAILED, exited(1));
        TaskFacts bare = task(TaskState.FAILED);
        return Stream.of(
                // Before, because nothing was ever created or let go.
                arguments("invalid spec", NO, run(INVALID)),
                arguments("creation refused", NO, run(REFUSED).refusedWith(422)),
                arguments("quota", NO, run(REFUSED).refusedWith(403)),
                arguments("no such workflow", NO, run(REFUSED).because("WorkflowNotFound", "")),
                arguments("no such command", NO, run(REFUSED).because("CommandNotFound", "")),
                arguments(
                        "refused without status or reason, never spawned",
                        NO,
                        run(REFUSED).butNeverLetGo()),
                arguments(
                        "an answer that may come too late",
                        UNKNOWN,
                        run(REFUSED).refusedWith(504)),
                arguments(
                        "the same, all seen",
                        UNKNOWN,
                        run(REFUSED).refusedWith(504).andThatIsAll()),
                arguments(
                        "the same, still suspended",
                        NO,
                        run(REFUSED).refusedWith(504).butNeverLetGo()),
                arguments("deleted while suspended", NO, run(DELETED).butNeverLetGo()),
                arguments("lost while suspended", NO, run(LOST).butNeverLetGo()),
                arguments("cancelled while suspended", NO, run(CANCELLED).butNeverLetGo()),
                arguments(
                        "suspended, they say, but it ran",
                        YES,
                        run(DELETED, done).butNeverLetGo()),

                // Before, because everything was seen and nothing had started.
                arguments(
                        "no such bundle",
                        NO,
                        run(FAILED).because("CouldntGetPipeline", "").andThatIsAll()),
                arguments(
                        "image never pulled",
                        NO,
                        run(FAILED, pulling)
                                .because("TaskRunImagePullFailed", "")
                                .andThatIsAll()),
                arguments(
                        "image given up",
                        NO,
                        run(
                                        FAILED,
                                        task(TaskState.FAILED, never("TaskRunImagePullFailed"))
                                                .because("TaskRunImagePullFailed", ""))
                                .andThatIsAll()),
                arguments(
                        "started task, pod never scheduled",
                        NO,
                        run(TIMED_OUT, task(TaskState.FAILED, waiting("")).because("TaskRunTimeout", ""))
                                .andThatIsAll()),
                arguments(
                        "started task, pod never created",
                        NO,
                        run(TIMED_OUT, task(TaskState.FAILED, never("")).because("TaskRunTimeout", ""))
                                .andThatIsAll()),
                arguments(
                        "deadline of a task, all steps seen waiting",
                        NO,
                        run(FAILED, task(TaskState.FAILED, waiting("")).because("DeadlineExceeded", ""))
                                .andThatIsAll()),
                arguments(
                        "deadline of the run, all steps seen waiting",
                        NO,
                        run(FAILED, task(TaskState.SKIPPED), second(pulling))
                                .because("DeadlineExceeded", "")
                                .andThatIsAll()),
                arguments(
                        "cancelled task, all steps seen waiting",
                        NO,
                        run(FAILED, task(TaskState.FAILED, waiting("")).because("TaskRunCancelled", ""))
                                .andThatIsAll()),
                arguments("timeout before any task", NO, run(TIMED_OUT).andThatIsAll()),
                arguments("cancelled before any task", NO, run(CANCELLED).andThatIsAll()),
                arguments(
                        "command not found",
                        NO,
                        run(FAILED, task(TaskState.FAILED, never("CommandNotFound")))
                                .andThatIsAll()),
                arguments(
                        "only skipped tasks before it",
                        NO,
                        run(FAILED, task(TaskState.SKIPPED), second(task(TaskState.FAILED, never("CommandNotFound"))))
                                .andThatIsAll()),
                arguments(
                        "set-up container failed, steps waiting",
                        NO,
                        run(
                                        FAILED,
                                        task(TaskState.FAILED)
                                                .because("Failed", "")
                                                .with(
                                                        StepFacts.setup("prepare", exited(1)),
                                                        StepFacts.step("fix", waiting("PodInitializing"))))
                                .andThatIsAll()),
                arguments(
                        "set-up container out of memory, steps waiting",
                        NO,
                        run(
                                        FAILED,
                                        bare.because("InitContainerOOM", "")
                                                .with(
                                                        StepFacts.setup("prepare", exited(137)),
                                                        StepFacts.step("fix", waiting("PodInitializing"))))
                                .andThatIsAll()),
                arguments(
                        "set-up container ran while the image is pulled",
                        NO,
                        run(
                                        TIMED_OUT,
                                        task(TaskState.PENDING)
                                                .with(
                                                        StepFacts.setup("istio-proxy", running()),
                                                        StepFacts.step("fix", waiting("ErrImagePull"))))
                                .andThatIsAll()),
                arguments("waits without a reason", NO, timedOutIn("")),
                arguments("waits to be created", NO, timedOutIn("ContainerCreating")),
                arguments("waits for its set-up", NO, timedOutIn("PodInitializing")),
                arguments("waits for its image", NO, timedOutIn("ErrImagePull")),
                arguments("waits for a config map", NO, timedOutIn("CreateContainerConfigError")),

                // During, because something was seen to run.
                arguments("waits after its start hook failed", YES, timedOutIn("PostStartHookError")),
                arguments("waits after its stop hook failed", YES, timedOutIn("PreStopHookError")),
                arguments("waits to be started again", YES, timedOutIn("CrashLoopBackOff")),
                arguments(
                        "a restarted container that waits for its image",
                        YES,
                        run(FAILED, pulling.after(StepFacts.step("fix", exited(1))))
                                .andThatIsAll()),
                arguments(
                        "one container waits, another one runs",
                        YES,
                        run(TIMED_OUT, task(TaskState.PENDING, waiting("ImagePullBackOff"), running()))
                                .andThatIsAll()),
                arguments("task failed", YES, run(FAILED, failed).andThatIsAll()),
                arguments(
                        "timeout after a step started",
                        YES,
                        run(TIMED_OUT, task(TaskState.PENDING, running())).andThatIsAll()),
                arguments(
                        "step cut off",
                        YES,
                        run(
                                        TIMED_OUT,
                                        task(TaskState.FAILED, cutOff("TaskRunTimeout"))
                                                .because("TaskRunTimeout", ""))
                                .andThatIsAll()),
                arguments(
                        "ended well, then the run failed",
                        YES,
                        run(FAILED, task(TaskState.PENDING, exited(0)))
                                .because("CreateRunFailed", "")
                                .andThatIsAll()),
                arguments(
                        "killed by a signal",
                        YES,
                        run(FAILED, task(TaskState.FAILED, StepState.Terminated.killed(9, "Error")))
                                .andThatIsAll()),
                arguments(
                        "image pull after a first task that completed",
                        YES,
                        run(FAILED, done, second(pulling)).andThatIsAll()),
                arguments(
                        "a task that completed, steps not listed",
                        YES,
                        run(CANCELLED, task(TaskState.SUCCEEDED)).andThatIsAll()),
                arguments(
                        "a task that runs, steps not listed",
                        YES,
                        run(CANCELLED, task(TaskState.RUNNING)).andThatIsAll()),
                arguments(
                        "a failure that the workflow ignores",
                        YES,
                        run(CANCELLED, task(TaskState.IGNORED)).andThatIsAll()),
                arguments(
                        "a sidecar ran beside a waiting step",
                        YES,
                        run(
                                        FAILED,
                                        task(TaskState.PENDING)
                                                .with(
                                                        StepFacts.sidecar("db", running()),
                                                        StepFacts.step("fix", waiting("ErrImagePull"))))
                                .because("TaskRunImagePullFailed", "")
                                .andThatIsAll()),
                arguments(
                        "it ran in an earlier attempt",
                        YES,
                        run(FAILED, task(TaskState.FAILED, never("StartError")).after(StepFacts.step("fix", exited(1))))
                                .andThatIsAll()),
                arguments(
                        "the executor names a failed step",
                        YES,
                        run(FAILED, bare.because("StepFailed", "")).andThatIsAll()),
                arguments(
                        "the executor names a failed step, steps waiting",
                        YES,
                        run(FAILED, task(TaskState.FAILED, waiting("x")).because("StepOOM", ""))
                                .andThatIsAll()),
                arguments(
                        "the run names a failed step, its task says otherwise",
                        YES,
                        run(FAILED, task(TaskState.FAILED, never("CommandNotFound")))
                                .because("StepFailed", "")
                                .andThatIsAll()),
                arguments("deleted after it was seen started", YES, run(DELETED, task(TaskState.RUNNING))),
                arguments("invalid, they say, but it ran", YES, run(INVALID, done)),

                // During, because nobody knows.
                arguments(
                        "deadline of a task, steps not listed",
                        UNKNOWN,
                        run(FAILED, bare.because("DeadlineExceeded", "")).andThatIsAll()),
                arguments(
                        "timeout of a task, steps not listed",
                        UNKNOWN,
                        run(TIMED_OUT, bare.because("TaskRunTimeout", "")).andThatIsAll()),
                arguments(
                        "cancelled task, steps not listed",
                        UNKNOWN,
                        run(CANCELLED, bare.because("TaskRunCancelled", "")).andThatIsAll()),
                arguments(
                        "deadline of the run, one task without steps",
                        UNKNOWN,
                        run(FAILED, pulling, second(task(TaskState.PENDING)))
                                .because("DeadlineExceeded", "")
                                .andThatIsAll()),
                arguments(
                        "deadline of the run, only skipped tasks",
                        UNKNOWN,
                        run(FAILED, task(TaskState.SKIPPED))
                                .because("DeadlineExceeded", "")
                                .andThatIsAll()),
                arguments(
                        "set-up container out of memory, steps not listed",
                        UNKNOWN,
                        run(FAILED, bare.because("InitContainerOOM", "").with(StepFacts.setup("prepare", exited(137))))
                                .andThatIsAll()),
                arguments(
                        "an image of a task, containers not listed",
                        UNKNOWN,
                        run(FAILED, bare.because("TaskRunImagePullFailed", "")).andThatIsAll()),
                arguments(
                        "refused by a node that restarts",
                        UNKNOWN,
                        run(FAILED, bare.because("OutOfcpu", "")).andThatIsAll()),
                arguments("a start that nobody confirmed", UNKNOWN, timedOutIn("RunContainerError")),
                arguments(
                        "Job failed too often, its last pod waits",
                        UNKNOWN,
                        run(FAILED, pulling).because("BackoffLimitExceeded", "").andThatIsAll()),
                arguments("waits for a reason nobody heard of", UNKNOWN, timedOutIn("Gremlins")),
                arguments("waits for a reason that may come late", UNKNOWN, timedOutIn("Evicted")),
                arguments(
                        "failed, and waits for a reason nobody heard of",
                        UNKNOWN,
                        run(FAILED, task(TaskState.FAILED, waiting(""), waiting("Gremlins")))
                                .andThatIsAll()),
                arguments("refused without status or reason", UNKNOWN, run(REFUSED)),
                arguments(
                        "refused without status or reason, all seen",
                        UNKNOWN,
                        run(REFUSED).andThatIsAll()),
                arguments(
                        "refused for a reason nobody heard of",
                        UNKNOWN,
                        run(REFUSED).because("Gremlins", "")),
                arguments(
                        "refused for a reason that may come late",
                        UNKNOWN,
                        run(REFUSED).because("PodEvicted", "")),
                arguments("no answer, reported as 0", UNKNOWN, run(REFUSED).refusedWith(0)),
                arguments("no answer, reported as -1", UNKNOWN, run(REFUSED).refusedWith(-1)),
                arguments("an answer that is no refusal", UNKNOWN, run(REFUSED).refusedWith(200)),
                arguments("a redirect", UNKNOWN, run(REFUSED).refusedWith(302)),
                arguments(
                        "no answer, although a reason is given",
                        UNKNOWN,
                        run(REFUSED).refusedWith(0).because("WorkflowNotFound", "")),
                arguments(
                        "refused, they say, but a task failed",
                        UNKNOWN,
                        run(REFUSED, bare).refusedWith(403)),
                arguments("run lost in a crash", UNKNOWN, run(LOST)),
                arguments("lost, and nothing had been seen", UNKNOWN, run(LOST).andThatIsAll()),
                arguments(
                        "deleted, and nothing had been seen",
                        UNKNOWN,
                        run(DELETED).andThatIsAll()),
                arguments(
                        "image never pulled, as far as one knows",
                        UNKNOWN,
                        run(FAILED, pulling).because("TaskRunImagePullFailed", "")),
                arguments("timeout, as far as one knows before start", UNKNOWN, run(TIMED_OUT, pulling)),
                arguments("cancelled, as far as one knows before start", UNKNOWN, run(CANCELLED, pulling)),
                arguments("task listed without steps", UNKNOWN, run(FAILED, bare)),
                arguments(
                        "failed task without steps or reason, all seen",
                        UNKNOWN,
                        run(FAILED, bare).andThatIsAll()),
                arguments(
                        "only a set-up container listed",
                        UNKNOWN,
                        run(FAILED, bare.because("Failed", "").with(StepFacts.setup("prepare", exited(0))))
                                .andThatIsAll()),
                arguments(
                        "evicted, steps not listed",
                        UNKNOWN,
                        run(FAILED, bare.because("PodEvicted", "")).andThatIsAll()),
                arguments("failed without tasks or reason", UNKNOWN, run(FAILED).andThatIsAll()),
                arguments(
                        "failed for a reason nobody heard of",
                        UNKNOWN,
                        run(FAILED, pulling).because("Gremlins", "").andThatIsAll()),
                arguments(
                        "Job failed, its pod not seen",
                        UNKNOWN,
                        run(FAILED).because("BackoffLimitExceeded", "").andThatIsAll()));
    }

    private static RunFacts timedOutIn(String waitingReason) {
        return run(TIMED_OUT, task(TaskState.PENDING, waiting(waitingReason))).andThatIsAll();
    }

    @Test
    void unknownCountsAsDuring() {
        assertThat(YES.countsAsDuring()).isTrue();
        assertThat(UNKNOWN.countsAsDuring()).isTrue();
        assertThat(NO.countsAsDuring()).isFalse();
    }
}
