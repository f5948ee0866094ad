package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.RunFactsFixtures.END;
import static dev.escapement.governor.failure.RunFactsFixtures.classify;
import static dev.escapement.governor.failure.RunFactsFixtures.exited;
import static dev.escapement.governor.failure.RunFactsFixtures.neverStarted;
import static dev.escapement.governor.failure.RunFactsFixtures.run;
import static dev.escapement.governor.failure.RunFactsFixtures.running;
import static dev.escapement.governor.failure.RunFactsFixtures.task;
import static dev.escapement.governor.failure.RunFactsFixtures.waiting;
import static dev.escapement.governor.failure.RunFactsFixtures.withSecondIndex;
import static dev.escapement.governor.failure.RunFactsFixtures.withUnknownEnd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.governor.failure.StepState.NeverStarted;
import dev.escapement.governor.failure.StepState.Running;
import dev.escapement.governor.failure.StepState.Terminated;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailureDetailTest {

    @Test
    void fillsEveryFieldForFailedSecondTask() {
        Instant began = END.minus(Duration.ofSeconds(90));
        StepState bad = new Terminated(
                Optional.of(2), Optional.empty(), "Error", "own words", Optional.of(END.minusSeconds(30)));
        StepState good = new Terminated(Optional.of(0), Optional.empty(), "Completed", "", Optional.of(began));
        RunFacts facts = run(RunEnd.FAILED)
                .startedAt(Optional.of(END.minusSeconds(600)))
                .withReason("Failed", "Tasks Completed: 2 (Failed: 1)")
                .tasks(
                        3,
                        List.of(
                                TaskFacts.of(0, "drain", TaskState.SUCCEEDED)
                                        .withSteps(StepFacts.step("kubectl", good)),
                                TaskFacts.of(1, "apply", TaskState.FAILED)
                                        .withReason("StepFailed", "\"step-patch\" exited with code 2: Error")
                                        .withSteps(StepFacts.step("patch", bad))));
        Failure failure = classify(facts);

        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.message()).isEqualTo("\"step-patch\" exited with code 2: Error");
        assertThat(failure.failedAt()).isEqualTo(END);
        assertThat(failure.failedTaskName()).contains("apply");
        assertThat(failure.failedTaskIndex()).contains(1);
        assertThat(failure.failedStepName()).contains("patch");
        assertThat(failure.exitCode()).contains(2);
        assertThat(failure.executionTimeBeforeFailure()).contains(Duration.ofSeconds(90));
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.requiresManualReview()).isTrue();
    }

    @Test
    void cancellationMessageNamesActor() {
        RunFacts facts = run(
                        RunEnd.CANCELLED,
                        task(TaskState.FAILED, running()).withReason("TaskCancelled", "TaskRun \"x\" was cancelled."))
                .withReason("Cancelled", "cancelled by alice");

        assertThat(classify(facts).message()).isEqualTo("cancelled by alice");
    }

    @Test
    void leavesUnknownFieldsEmpty() {
        Failure failure = classify(
                run(RunEnd.REFUSED).startedAt(Optional.of(END.minusSeconds(5))).asNeverStarted());
        assertThat(failure.failedTaskName()).isEmpty();
        assertThat(failure.failedTaskIndex()).isEmpty();
        assertThat(failure.failedStepName()).isEmpty();
        assertThat(failure.exitCode()).isEmpty();
        assertThat(failure.executionTimeBeforeFailure())
                .describedAs("nothing was executed")
                .isEmpty();
        assertThat(failure.message()).isEqualTo("nothing was reported: its run could not be set up");
    }

    @Test
    void prefersTaskMessageThenStepThenRun() {
        TaskFacts silent = task(TaskState.FAILED, new NeverStarted("", "step"));
        assertThat(classify(run(RunEnd.FAILED, silent.withReason("", "task")).withReason("", "run"))
                        .message())
                .isEqualTo("task");
        assertThat(classify(run(RunEnd.FAILED, silent.withReason("", "\n")).withReason("", "run"))
                        .message())
                .isEqualTo("step");
        assertThat(classify(run(RunEnd.FAILED, task(TaskState.FAILED)).withReason("", "run"))
                        .message())
                .isEqualTo("run");
    }

    @Test
    void truncatesAndSanitizesText() {
        Failure failure = FailureClassifier.classify(
                "w".repeat(300),
                "t".repeat(700),
                run(
                        RunEnd.FAILED,
                        TaskFacts.of(0, "n".repeat(300), TaskState.FAILED)
                                .withReason("", "\u001b[31m" + "m".repeat(3000))
                                .withSteps(StepFacts.step("s\u0000" + "p".repeat(300), exited(1)))));
        assertThat(failure.message()).hasSize(1024).startsWith("[31mm").endsWith("m…");
        assertThat(failure.failedTaskName().orElseThrow()).hasSize(253).endsWith("…");
        assertThat(failure.failedStepName().orElseThrow()).hasSize(253).startsWith("s p");
        assertThat(failure.naturalLanguageSummary())
                .hasSizeLessThanOrEqualTo(Failure.MAX_SUMMARY_LENGTH)
                .contains("\"" + "w".repeat(252) + "…\" on \"" + "t".repeat(599) + "…\"")
                .endsWith("What to try: read the log of the task for the cause.");
    }

    @Test
    void reportsSignalAsShellExitCode() {
        assertThat(classify(run(RunEnd.FAILED, task(TaskState.FAILED, RunFactsFixtures.killed(15, ""))))
                        .exitCode())
                .contains(143);
        assertThat(classify(run(RunEnd.TIMED_OUT, task(TaskState.FAILED, withUnknownEnd(""))))
                        .exitCode())
                .isEmpty();
    }

    @Test
    void measuresTimeFromFirstStartedStep() {
        Instant pulled = END.minusSeconds(20);
        TaskFacts late = task(TaskState.FAILED, new Running(Optional.of(pulled)));
        TaskFacts retried = late.withEarlierSteps(StepFacts.step("s0", new Running(Optional.of(END.minusSeconds(50)))));
        RunFacts run = run(RunEnd.LOST).startedAt(Optional.of(END.minusSeconds(600)));

        assertThat(classify(run.tasks(1, List.of(late))).executionTimeBeforeFailure())
                .contains(Duration.ofSeconds(20));
        assertThat(classify(run.tasks(1, List.of(retried))).executionTimeBeforeFailure())
                .contains(Duration.ofSeconds(50));
        assertThat(classify(run.tasks(
                                1,
                                List.of(late.withSteps(RunFactsFixtures.setup(
                                        "prepare", new Running(Optional.of(END.minusSeconds(99))))))))
                        .executionTimeBeforeFailure())
                .describedAs("set-up does not count, so the time is from the start of the run")
                .contains(Duration.ofMinutes(10));
        assertThat(classify(run).executionTimeBeforeFailure()).contains(Duration.ofMinutes(10));
        assertThat(classify(run(RunEnd.LOST)).executionTimeBeforeFailure()).isEmpty();
        assertThat(classify(run.startedAt(Optional.of(END.plusSeconds(1)))).executionTimeBeforeFailure())
                .describedAs("clocks differ")
                .contains(Duration.ZERO);
    }

    @Test
    void attributesFailureToFirstTaskNotCancelled() {
        TaskFacts stopped = task(TaskState.FAILED).withReason("TaskCancelled", "");
        TaskFacts failed = withSecondIndex(task(TaskState.FAILED));
        TaskFacts runs = task(TaskState.RUNNING);
        assertThat(failedTaskIndex(stopped, failed)).contains(1);
        assertThat(failedTaskIndex(stopped)).contains(0);
        assertThat(failedTaskIndex(runs, failed)).contains(1);
        assertThat(failedTaskIndex(task(TaskState.SUCCEEDED), withSecondIndex(runs)))
                .contains(1);
        assertThat(failedTaskIndex(task(TaskState.PENDING, waiting("ErrImagePull")), withSecondIndex(runs)))
                .contains(1);
        assertThat(failedTaskIndex(
                        task(TaskState.PENDING), withSecondIndex(task(TaskState.PENDING, waiting("ErrImagePull")))))
                .contains(1);
        assertThat(failedTaskIndex(
                        task(TaskState.PENDING),
                        withSecondIndex(task(TaskState.PENDING).withReason("Unschedulable", ""))))
                .contains(1);
        assertThat(failedTaskIndex(
                        task(TaskState.PENDING, waiting("ContainerCreating")),
                        withSecondIndex(task(TaskState.SKIPPED))))
                .isEmpty();
    }

    private static Optional<Integer> failedTaskIndex(TaskFacts... tasks) {
        return classify(run(RunEnd.FAILED, tasks)).failedTaskIndex();
    }

    @Test
    void prefersFailedStepThenUnstartedThenRunning() {
        assertThat(failedStepName(exited(0), neverStarted("StartError"), running(), exited(3)))
                .contains("s3");
        assertThat(failedStepName(exited(0), running(), neverStarted(""))).contains("s2");
        assertThat(failedStepName(exited(0), running(), waiting("ErrImagePull")))
                .contains("s2");
        assertThat(failedStepName(exited(0), waiting("ContainerCreating"), running(), running()))
                .contains("s2");
        assertThat(failedStepName(exited(0), withUnknownEnd("TaskTimeout"), withUnknownEnd("TaskTimeout")))
                .contains("s1");
        assertThat(failedStepName(exited(0), waiting("ContainerCreating"))).isEmpty();
        assertThat(failedStepName(RunFactsFixtures.exited(4, "Continued"), exited(1)))
                .contains("s1");
        assertThat(failedStepName(RunFactsFixtures.exited(1, "Skipped"), RunFactsFixtures.killed(9, "")))
                .contains("s1");
        assertThat(failedStepName(RunFactsFixtures.exited(0, "OOMKilled"), exited(1)))
                .contains("s0");
    }

    private static Optional<String> failedStepName(StepState... states) {
        return classify(run(RunEnd.FAILED, task(TaskState.FAILED, states))).failedStepName();
    }

    @Test
    void prefersStepThenSidecarThenSetup() {
        StepFacts step = StepFacts.step("step", exited(1));
        StepFacts sidecar = StepFacts.sidecar("sidecar", exited(1));
        StepFacts setup = RunFactsFixtures.setup("setup", exited(1));
        TaskFacts failed = task(TaskState.FAILED);
        assertThat(classify(run(RunEnd.FAILED, failed.withSteps(setup, sidecar, step)))
                        .failedStepName())
                .contains("step");
        assertThat(classify(run(RunEnd.FAILED, failed.withSteps(setup, sidecar)))
                        .failedStepName())
                .contains("sidecar");
        assertThat(classify(run(RunEnd.FAILED, failed.withSteps(setup))).failedStepName())
                .contains("setup");
    }

    @Test
    void rejectsNegativeTaskIndex() {
        assertThatThrownBy(() -> TaskFacts.of(-1, "fix", TaskState.FAILED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("task index is -1: it must not be negative");
    }
}
