package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.Facts.END;
import static dev.escapement.governor.failure.Facts.classify;
import static dev.escapement.governor.failure.Facts.cutOff;
import static dev.escapement.governor.failure.Facts.exited;
import static dev.escapement.governor.failure.Facts.never;
import static dev.escapement.governor.failure.Facts.run;
import static dev.escapement.governor.failure.Facts.running;
import static dev.escapement.governor.failure.Facts.second;
import static dev.escapement.governor.failure.Facts.task;
import static dev.escapement.governor.failure.Facts.waiting;
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

/** SPEC W3: what is told about a failure. */
class FailureDetailsTest {

    @Test
    void everyFieldOfAFailedSecondTask() {
        Instant began = END.minus(Duration.ofSeconds(90));
        StepState bad = new Terminated(
                Optional.of(2), Optional.empty(), "Error", "own words", Optional.of(END.minusSeconds(30)));
        StepState good = new Terminated(Optional.of(0), Optional.empty(), "Completed", "", Optional.of(began));
        RunFacts facts = RunFacts.of(RunEnd.FAILED, END)
                .startedAt(END.minusSeconds(600))
                .because("Failed", "Tasks Completed: 2 (Failed: 1)")
                .tasks(
                        3,
                        List.of(
                                TaskFacts.of(0, "drain", TaskState.SUCCEEDED).with(StepFacts.step("kubectl", good)),
                                TaskFacts.of(1, "apply", TaskState.FAILED)
                                        .because("StepFailed", "\"step-patch\" exited with code 2: Error")
                                        .with(StepFacts.step("patch", bad))));
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
    void whoCancelledIsToldRatherThanWhatTheExecutorSaysOfItsTasks() {
        RunFacts facts = run(
                        RunEnd.CANCELLED,
                        task(TaskState.FAILED, running()).because("TaskRunCancelled", "TaskRun \"x\" was cancelled."))
                .because("Cancelled", "cancelled by alice");

        assertThat(classify(facts).message()).isEqualTo("cancelled by alice");
    }

    @Test
    void whatIsNotKnownIsAbsent() {
        Failure failure =
                classify(run(RunEnd.REFUSED).startedAt(END.minusSeconds(5)).butNeverLetGo());
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
    void theMessageIsTheTasksThenTheStepsThenTheRuns() {
        TaskFacts silent = task(TaskState.FAILED, new NeverStarted("", "step"));
        assertThat(classify(run(RunEnd.FAILED, silent.because("", "task")).because("", "run"))
                        .message())
                .isEqualTo("task");
        assertThat(classify(run(RunEnd.FAILED, silent.because("", "\n")).because("", "run"))
                        .message())
                .isEqualTo("step");
        assertThat(classify(run(RunEnd.FAILED, task(TaskState.FAILED)).because("", "run"))
                        .message())
                .isEqualTo("run");
    }

    @Test
    void longOrHostileTextIsCutAndCleaned() {
        Failure failure = FailureClassifier.classify(
                new Subject("w".repeat(300), "t".repeat(700)),
                run(
                        RunEnd.FAILED,
                        TaskFacts.of(0, "n".repeat(300), TaskState.FAILED)
                                .because("", "\u001b[31m" + "m".repeat(3000))
                                .with(StepFacts.step("s\u0000" + "p".repeat(300), exited(1)))));
        assertThat(failure.message()).hasSize(1024).startsWith("[31mm").endsWith("m…");
        assertThat(failure.failedTaskName().orElseThrow()).hasSize(253).endsWith("…");
        assertThat(failure.failedStepName().orElseThrow()).hasSize(253).startsWith("s p");
        assertThat(failure.naturalLanguageSummary())
                .hasSizeLessThanOrEqualTo(Failure.LONGEST_SUMMARY)
                .contains("\"" + "w".repeat(252) + "…\" on \"" + "t".repeat(599) + "…\"")
                .endsWith("What to try: read the log of the task for the cause.");
    }

    @Test
    void aSignalIsWhatAShellMakesOfIt() {
        assertThat(classify(run(RunEnd.FAILED, task(TaskState.FAILED, Terminated.killed(15, ""))))
                        .exitCode())
                .contains(143);
        assertThat(classify(run(RunEnd.TIMED_OUT, task(TaskState.FAILED, cutOff(""))))
                        .exitCode())
                .isEmpty();
    }

    @Test
    void theTimeCountsFromTheFirstStepThatIsKnownToHaveStarted() {
        Instant pulled = END.minusSeconds(20);
        TaskFacts late = task(TaskState.FAILED, new Running(Optional.of(pulled)));
        TaskFacts retried = late.after(StepFacts.step("s0", new Running(Optional.of(END.minusSeconds(50)))));
        RunFacts run = run(RunEnd.LOST).startedAt(END.minusSeconds(600));

        assertThat(classify(run.tasks(1, List.of(late))).executionTimeBeforeFailure())
                .contains(Duration.ofSeconds(20));
        assertThat(classify(run.tasks(1, List.of(retried))).executionTimeBeforeFailure())
                .contains(Duration.ofSeconds(50));
        assertThat(classify(run.tasks(
                                1,
                                List.of(late.with(
                                        StepFacts.setup("prepare", new Running(Optional.of(END.minusSeconds(99))))))))
                        .executionTimeBeforeFailure())
                .describedAs("set-up is not execution; then it counts from when the run was let go")
                .contains(Duration.ofMinutes(10));
        assertThat(classify(run).executionTimeBeforeFailure()).contains(Duration.ofMinutes(10));
        assertThat(classify(run(RunEnd.LOST)).executionTimeBeforeFailure()).isEmpty();
        assertThat(classify(run.startedAt(END.plusSeconds(1))).executionTimeBeforeFailure())
                .describedAs("clocks differ")
                .contains(Duration.ZERO);
    }

    @Test
    void theFirstFailedTaskIsToldAboutUnlessItWasOnlyStopped() {
        TaskFacts stopped = task(TaskState.FAILED).because("TaskRunCancelled", "");
        TaskFacts failed = second(task(TaskState.FAILED));
        TaskFacts runs = task(TaskState.RUNNING);
        assertThat(indexIn(stopped, failed)).contains(1);
        assertThat(indexIn(stopped)).contains(0);
        assertThat(indexIn(runs, failed)).contains(1);
        assertThat(indexIn(task(TaskState.SUCCEEDED), second(runs))).contains(1);
        assertThat(indexIn(task(TaskState.PENDING, waiting("ErrImagePull")), second(runs)))
                .contains(1);
        assertThat(indexIn(task(TaskState.PENDING), second(task(TaskState.PENDING, waiting("ErrImagePull")))))
                .contains(1);
        assertThat(indexIn(
                        task(TaskState.PENDING), second(task(TaskState.PENDING).because("Unschedulable", ""))))
                .contains(1);
        assertThat(indexIn(task(TaskState.PENDING, waiting("ContainerCreating")), second(task(TaskState.SKIPPED))))
                .isEmpty();
    }

    private static Optional<Integer> indexIn(TaskFacts... tasks) {
        return classify(run(RunEnd.FAILED, tasks)).failedTaskIndex();
    }

    @Test
    void theStepThatEndedInErrorIsToldAboutThenTheOneThatCouldNotStartThenTheOneAtWork() {
        assertThat(stepAmong(exited(0), never("StartError"), running(), exited(3)))
                .contains("s3");
        assertThat(stepAmong(exited(0), running(), never(""))).contains("s2");
        assertThat(stepAmong(exited(0), running(), waiting("ErrImagePull"))).contains("s2");
        assertThat(stepAmong(exited(0), waiting("ContainerCreating"), running(), running()))
                .contains("s2");
        assertThat(stepAmong(exited(0), cutOff("TaskRunTimeout"), cutOff("TaskRunTimeout")))
                .contains("s1");
        assertThat(stepAmong(exited(0), waiting("ContainerCreating"))).isEmpty();
        assertThat(stepAmong(Terminated.exited(4, "Continued"), exited(1))).contains("s1");
        assertThat(stepAmong(Terminated.exited(1, "Skipped"), Terminated.killed(9, "")))
                .contains("s1");
        assertThat(stepAmong(Terminated.exited(0, "OOMKilled"), exited(1))).contains("s0");
    }

    private static Optional<String> stepAmong(StepState... states) {
        return classify(run(RunEnd.FAILED, task(TaskState.FAILED, states))).failedStepName();
    }

    @Test
    void aStepIsToldAboutBeforeASidecarAndThatBeforeTheSetUp() {
        StepFacts step = StepFacts.step("step", exited(1));
        StepFacts sidecar = StepFacts.sidecar("sidecar", exited(1));
        StepFacts setup = StepFacts.setup("setup", exited(1));
        TaskFacts failed = task(TaskState.FAILED);
        assertThat(classify(run(RunEnd.FAILED, failed.with(setup, sidecar, step)))
                        .failedStepName())
                .contains("step");
        assertThat(classify(run(RunEnd.FAILED, failed.with(setup, sidecar))).failedStepName())
                .contains("sidecar");
        assertThat(classify(run(RunEnd.FAILED, failed.with(setup))).failedStepName())
                .contains("setup");
    }

    @Test
    void aTaskHasAPlace() {
        assertThatThrownBy(() -> TaskFacts.of(-1, "fix", TaskState.FAILED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("task index is -1: it must not be negative");
    }
}
