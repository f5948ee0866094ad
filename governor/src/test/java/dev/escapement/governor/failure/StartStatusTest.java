package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.RunEnd.CANCELLED;
import static dev.escapement.governor.failure.RunEnd.DELETED;
import static dev.escapement.governor.failure.RunEnd.FAILED;
import static dev.escapement.governor.failure.RunEnd.INVALID;
import static dev.escapement.governor.failure.RunEnd.LOST;
import static dev.escapement.governor.failure.RunEnd.REFUSED;
import static dev.escapement.governor.failure.RunEnd.TIMED_OUT;
import static dev.escapement.governor.failure.RunFactsFixtures.classify;
import static dev.escapement.governor.failure.RunFactsFixtures.exited;
import static dev.escapement.governor.failure.RunFactsFixtures.neverStarted;
import static dev.escapement.governor.failure.RunFactsFixtures.run;
import static dev.escapement.governor.failure.RunFactsFixtures.running;
import static dev.escapement.governor.failure.RunFactsFixtures.task;
import static dev.escapement.governor.failure.RunFactsFixtures.waiting;
import static dev.escapement.governor.failure.RunFactsFixtures.withSecondIndex;
import static dev.escapement.governor.failure.RunFactsFixtures.withUnknownEnd;
import static dev.escapement.governor.failure.StartStatus.NO;
import static dev.escapement.governor.failure.StartStatus.UNKNOWN;
import static dev.escapement.governor.failure.StartStatus.YES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StartStatusTest {

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource
    void determinesWhetherAnyStepStarted(String situation, StartStatus expected, RunFacts facts) {
        Failure failure = classify(facts);
        assertThat(failure.startStatus()).isEqualTo(expected);
        assertThat(failure.wasExecutionFailure()).isEqualTo(expected != NO);
        assertThat(failure.requiresManualReview()).isEqualTo(expected != NO);
    }

    static Stream<Arguments> determinesWhetherAnyStepStarted() {
        TaskFacts done = task(TaskState.SUCCEEDED, exited(0));
        TaskFacts pulling = task(TaskState.PENDING, waiting("ImagePullBackOff"));
        TaskFacts failed = task(TaskState.FAILED, exited(1));
        TaskFacts bare = task(TaskState.FAILED);
        return Stream.of(
                // Before, because nothing was created or started.
                arguments("invalid spec", NO, run(INVALID)),
                arguments("creation refused", NO, run(REFUSED).withHttpStatus(422)),
                arguments("quota", NO, run(REFUSED).withHttpStatus(403)),
                arguments("no such workflow", NO, run(REFUSED).withReason("WorkflowNotFound", "")),
                arguments("no such command", NO, run(REFUSED).withReason("CommandNotFound", "")),
                arguments(
                        "refused without status or reason, never spawned",
                        NO,
                        run(REFUSED).asNeverStarted()),
                arguments(
                        "an answer that may come too late",
                        UNKNOWN,
                        run(REFUSED).withHttpStatus(504)),
                arguments(
                        "the same, all seen",
                        UNKNOWN,
                        run(REFUSED).withHttpStatus(504).asComplete()),
                arguments(
                        "the same, still suspended",
                        NO,
                        run(REFUSED).withHttpStatus(504).asNeverStarted()),
                arguments("deleted while suspended", NO, run(DELETED).asNeverStarted()),
                arguments("lost while suspended", NO, run(LOST).asNeverStarted()),
                arguments("cancelled while suspended", NO, run(CANCELLED).asNeverStarted()),
                arguments(
                        "reported as suspended, but it ran",
                        YES,
                        run(DELETED, done).asNeverStarted()),

                // Before, because everything was seen and nothing had started.
                arguments(
                        "no such bundle",
                        NO,
                        run(FAILED).withReason("DefinitionNotFound", "").asComplete()),
                arguments(
                        "image never pulled",
                        NO,
                        run(FAILED, pulling)
                                .withReason("TaskImagePullFailed", "")
                                .asComplete()),
                arguments(
                        "image given up",
                        NO,
                        run(
                                        FAILED,
                                        task(TaskState.FAILED, neverStarted("TaskImagePullFailed"))
                                                .withReason("TaskImagePullFailed", ""))
                                .asComplete()),
                arguments(
                        "started task, pod never scheduled",
                        NO,
                        run(TIMED_OUT, task(TaskState.FAILED, waiting("")).withReason("TaskTimeout", ""))
                                .asComplete()),
                arguments(
                        "started task, pod never created",
                        NO,
                        run(TIMED_OUT, task(TaskState.FAILED, neverStarted("")).withReason("TaskTimeout", ""))
                                .asComplete()),
                arguments(
                        "deadline of a task, all steps seen waiting",
                        NO,
                        run(FAILED, task(TaskState.FAILED, waiting("")).withReason("DeadlineExceeded", ""))
                                .asComplete()),
                arguments(
                        "deadline of the run, all steps seen waiting",
                        NO,
                        run(FAILED, task(TaskState.SKIPPED), withSecondIndex(pulling))
                                .withReason("DeadlineExceeded", "")
                                .asComplete()),
                arguments(
                        "cancelled task, all steps seen waiting",
                        NO,
                        run(FAILED, task(TaskState.FAILED, waiting("")).withReason("TaskCancelled", ""))
                                .asComplete()),
                arguments("timeout before any task", NO, run(TIMED_OUT).asComplete()),
                arguments("cancelled before any task", NO, run(CANCELLED).asComplete()),
                arguments(
                        "command not found",
                        NO,
                        run(FAILED, task(TaskState.FAILED, neverStarted("CommandNotFound")))
                                .asComplete()),
                arguments(
                        "only skipped tasks before it",
                        NO,
                        run(
                                        FAILED,
                                        task(TaskState.SKIPPED),
                                        withSecondIndex(task(TaskState.FAILED, neverStarted("CommandNotFound"))))
                                .asComplete()),
                arguments(
                        "set-up container failed, steps waiting",
                        NO,
                        run(
                                        FAILED,
                                        task(TaskState.FAILED)
                                                .withReason("Failed", "")
                                                .withSteps(
                                                        RunFactsFixtures.setup("prepare", exited(1)),
                                                        StepFacts.step("fix", waiting("PodInitializing"))))
                                .asComplete()),
                arguments(
                        "set-up container out of memory, steps waiting",
                        NO,
                        run(
                                        FAILED,
                                        bare.withReason("SetupOOM", "")
                                                .withSteps(
                                                        RunFactsFixtures.setup("prepare", exited(137)),
                                                        StepFacts.step("fix", waiting("PodInitializing"))))
                                .asComplete()),
                arguments(
                        "set-up container ran while the image is pulled",
                        NO,
                        run(
                                        TIMED_OUT,
                                        task(TaskState.PENDING)
                                                .withSteps(
                                                        RunFactsFixtures.setup("istio-proxy", running()),
                                                        StepFacts.step("fix", waiting("ErrImagePull"))))
                                .asComplete()),
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
                        run(FAILED, pulling.withEarlierSteps(StepFacts.step("fix", exited(1))))
                                .asComplete()),
                arguments(
                        "one container waits, another one runs",
                        YES,
                        run(TIMED_OUT, task(TaskState.PENDING, waiting("ImagePullBackOff"), running()))
                                .asComplete()),
                arguments("task failed", YES, run(FAILED, failed).asComplete()),
                arguments(
                        "timeout after a step started",
                        YES,
                        run(TIMED_OUT, task(TaskState.PENDING, running())).asComplete()),
                arguments(
                        "step cut off",
                        YES,
                        run(
                                        TIMED_OUT,
                                        task(TaskState.FAILED, withUnknownEnd("TaskTimeout"))
                                                .withReason("TaskTimeout", ""))
                                .asComplete()),
                arguments(
                        "ended well, then the run failed",
                        YES,
                        run(FAILED, task(TaskState.PENDING, exited(0)))
                                .withReason("TaskCreationFailed", "")
                                .asComplete()),
                arguments(
                        "killed by a signal",
                        YES,
                        run(FAILED, task(TaskState.FAILED, RunFactsFixtures.killed(9, "Error")))
                                .asComplete()),
                arguments(
                        "image pull after a first task that completed",
                        YES,
                        run(FAILED, done, withSecondIndex(pulling)).asComplete()),
                arguments(
                        "a task that completed, steps not listed",
                        YES,
                        run(CANCELLED, task(TaskState.SUCCEEDED)).asComplete()),
                arguments(
                        "a task that runs, steps not listed",
                        YES,
                        run(CANCELLED, task(TaskState.RUNNING)).asComplete()),
                arguments(
                        "a failure that the workflow ignores",
                        YES,
                        run(CANCELLED, task(TaskState.IGNORED)).asComplete()),
                arguments(
                        "a sidecar ran beside a waiting step",
                        YES,
                        run(
                                        FAILED,
                                        task(TaskState.PENDING)
                                                .withSteps(
                                                        StepFacts.sidecar("db", running()),
                                                        StepFacts.step("fix", waiting("ErrImagePull"))))
                                .withReason("TaskImagePullFailed", "")
                                .asComplete()),
                arguments(
                        "it ran in an earlier attempt",
                        YES,
                        run(
                                        FAILED,
                                        task(TaskState.FAILED, neverStarted("StartError"))
                                                .withEarlierSteps(StepFacts.step("fix", exited(1))))
                                .asComplete()),
                arguments(
                        "the executor names a failed step",
                        YES,
                        run(FAILED, bare.withReason("StepFailed", "")).asComplete()),
                arguments(
                        "the executor names a failed step, steps waiting",
                        YES,
                        run(FAILED, task(TaskState.FAILED, waiting("x")).withReason("StepOOM", ""))
                                .asComplete()),
                arguments(
                        "the run names a failed step, its task says otherwise",
                        YES,
                        run(FAILED, task(TaskState.FAILED, neverStarted("CommandNotFound")))
                                .withReason("StepFailed", "")
                                .asComplete()),
                arguments("deleted after it was seen started", YES, run(DELETED, task(TaskState.RUNNING))),
                arguments("reported as invalid, but it ran", YES, run(INVALID, done)),

                // During, because it is unknown.
                arguments(
                        "deadline of a task, steps not listed",
                        UNKNOWN,
                        run(FAILED, bare.withReason("DeadlineExceeded", "")).asComplete()),
                arguments(
                        "timeout of a task, steps not listed",
                        UNKNOWN,
                        run(TIMED_OUT, bare.withReason("TaskTimeout", "")).asComplete()),
                arguments(
                        "cancelled task, steps not listed",
                        UNKNOWN,
                        run(CANCELLED, bare.withReason("TaskCancelled", "")).asComplete()),
                arguments(
                        "deadline of the run, one task without steps",
                        UNKNOWN,
                        run(FAILED, pulling, withSecondIndex(task(TaskState.PENDING)))
                                .withReason("DeadlineExceeded", "")
                                .asComplete()),
                arguments(
                        "deadline of the run, only skipped tasks",
                        UNKNOWN,
                        run(FAILED, task(TaskState.SKIPPED))
                                .withReason("DeadlineExceeded", "")
                                .asComplete()),
                arguments(
                        "set-up container out of memory, steps not listed",
                        UNKNOWN,
                        run(
                                        FAILED,
                                        bare.withReason("SetupOOM", "")
                                                .withSteps(RunFactsFixtures.setup("prepare", exited(137))))
                                .asComplete()),
                arguments(
                        "an image of a task, containers not listed",
                        UNKNOWN,
                        run(FAILED, bare.withReason("TaskImagePullFailed", "")).asComplete()),
                arguments(
                        "refused by a node that restarts",
                        UNKNOWN,
                        run(FAILED, bare.withReason("OutOfcpu", "")).asComplete()),
                arguments("a start that was not confirmed", UNKNOWN, timedOutIn("RunContainerError")),
                arguments(
                        "Job failed too often, its last pod waits",
                        UNKNOWN,
                        run(FAILED, pulling)
                                .withReason("BackoffLimitExceeded", "")
                                .asComplete()),
                arguments("waits for a unknown reason", UNKNOWN, timedOutIn("Gremlins")),
                arguments("waits for a reason that may come late", UNKNOWN, timedOutIn("Evicted")),
                arguments(
                        "failed, and waits for a unknown reason",
                        UNKNOWN,
                        run(FAILED, task(TaskState.FAILED, waiting(""), waiting("Gremlins")))
                                .asComplete()),
                arguments("refused without status or reason", UNKNOWN, run(REFUSED)),
                arguments(
                        "refused without status or reason, all seen",
                        UNKNOWN,
                        run(REFUSED).asComplete()),
                arguments("refused for a unknown reason", UNKNOWN, run(REFUSED).withReason("Gremlins", "")),
                arguments(
                        "refused for a reason that may come late",
                        UNKNOWN,
                        run(REFUSED).withReason("PodEvicted", "")),
                arguments("no answer, reported as 0", UNKNOWN, run(REFUSED).withHttpStatus(0)),
                arguments("no answer, reported as -1", UNKNOWN, run(REFUSED).withHttpStatus(-1)),
                arguments("an answer that is no refusal", UNKNOWN, run(REFUSED).withHttpStatus(200)),
                arguments("a redirect", UNKNOWN, run(REFUSED).withHttpStatus(302)),
                arguments(
                        "no answer, although a reason is given",
                        UNKNOWN,
                        run(REFUSED).withHttpStatus(0).withReason("WorkflowNotFound", "")),
                arguments(
                        "reported as refused, but a task failed",
                        UNKNOWN,
                        run(REFUSED, bare).withHttpStatus(403)),
                arguments("run lost in a crash", UNKNOWN, run(LOST)),
                arguments("lost, and nothing had been seen", UNKNOWN, run(LOST).asComplete()),
                arguments(
                        "deleted, and nothing had been seen",
                        UNKNOWN,
                        run(DELETED).asComplete()),
                arguments(
                        "image never pulled, as far as known",
                        UNKNOWN,
                        run(FAILED, pulling).withReason("TaskImagePullFailed", "")),
                arguments("timeout, as far as known before start", UNKNOWN, run(TIMED_OUT, pulling)),
                arguments("cancelled, as far as known before start", UNKNOWN, run(CANCELLED, pulling)),
                arguments("task listed without steps", UNKNOWN, run(FAILED, bare)),
                arguments(
                        "failed task without steps or reason, all seen",
                        UNKNOWN,
                        run(FAILED, bare).asComplete()),
                arguments(
                        "only a set-up container listed",
                        UNKNOWN,
                        run(
                                        FAILED,
                                        bare.withReason("Failed", "")
                                                .withSteps(RunFactsFixtures.setup("prepare", exited(0))))
                                .asComplete()),
                arguments(
                        "evicted, steps not listed",
                        UNKNOWN,
                        run(FAILED, bare.withReason("PodEvicted", "")).asComplete()),
                arguments("failed without tasks or reason", UNKNOWN, run(FAILED).asComplete()),
                arguments(
                        "failed for a unknown reason",
                        UNKNOWN,
                        run(FAILED, pulling).withReason("Gremlins", "").asComplete()),
                arguments(
                        "Job failed, its pod not seen",
                        UNKNOWN,
                        run(FAILED).withReason("BackoffLimitExceeded", "").asComplete()));
    }

    private static RunFacts timedOutIn(String waitingReason) {
        return run(TIMED_OUT, task(TaskState.PENDING, waiting(waitingReason))).asComplete();
    }

    @Test
    void unknownCountsAsExecutionFailure() {
        assertThat(YES.countsAsExecutionFailure()).isTrue();
        assertThat(UNKNOWN.countsAsExecutionFailure()).isTrue();
        assertThat(NO.countsAsExecutionFailure()).isFalse();
    }
}
