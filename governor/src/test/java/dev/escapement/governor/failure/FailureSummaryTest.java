package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.RunFactsFixtures.END;
import static dev.escapement.governor.failure.RunFactsFixtures.classify;
import static dev.escapement.governor.failure.RunFactsFixtures.exited;
import static dev.escapement.governor.failure.RunFactsFixtures.run;
import static dev.escapement.governor.failure.RunFactsFixtures.task;
import static dev.escapement.governor.failure.RunFactsFixtures.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureSummaryTest {

    @Test
    void summarizesFailedTask() {
        assertThat(classify(run(RunEnd.FAILED, task(TaskState.FAILED, exited(1)).withReason("StepFailed", "say \"no\""))
                                .startedAt(Optional.of(END.minus(Duration.ofMillis(72_900))))
                                .asComplete())
                        .naturalLanguageSummary())
                .isEqualTo(
                        "Workflow \"restart-pods\" on \"payment/deployment/payment-api\" failed after 1m12s in task 1"
                                + " of 3, \"fix\", step \"s0\", exit code 1: a task failed (TaskFailed). It was reported: \"say"
                                + " 'no'\". A step had started, so the target may be changed in part: look at it before anything"
                                + " runs again. What to try: read the log of the task for the cause.");
    }

    @Test
    void summarizesImagePullFailure() {
        assertThat(classify(run(RunEnd.TIMED_OUT, task(TaskState.PENDING, waiting("ErrImagePull")))
                                .startedAt(Optional.of(END.minusSeconds(600)))
                                .asComplete())
                        .naturalLanguageSummary())
                .isEqualTo(
                        "Workflow \"restart-pods\" on \"payment/deployment/payment-api\" failed in task 1 of 3,"
                                + " \"fix\", step \"s0\": an image could not be pulled (ImagePullBackOff). It was reported:"
                                + " \"nothing was reported: an image could not be pulled\". No step had started, so nothing was"
                                + " changed. What to try: check the image's name and digest, the registry and the pull secret.");
    }

    @Test
    void summarizesLostRun() {
        assertThat(classify(run(RunEnd.LOST).withReason("", "server gone")).naturalLanguageSummary())
                .isEqualTo("Workflow \"restart-pods\" on \"payment/deployment/payment-api\" failed: the cause is not"
                        + " known (Unknown). It was reported: \"server gone\". Whether a step had started is not known,"
                        + " which counts as having run: look at the target before anything runs again. What to try: look"
                        + " at the run, its tasks and their logs.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1   | exit code 1:",
                "126 | exit code 126 (usually: not executable):",
                "127 | exit code 127 (usually: command not found):",
                "128 | exit code 128:",
                "129 | exit code 129 (as if killed by SIGHUP):",
                "130 | exit code 130 (as if killed by SIGINT):",
                "134 | exit code 134 (as if killed by SIGABRT):",
                "137 | exit code 137 (as if killed by SIGKILL):",
                "139 | exit code 139 (as if killed by SIGSEGV):",
                "143 | exit code 143 (as if killed by SIGTERM):",
                "192 | exit code 192 (as if killed by signal 64):",
                "193 | exit code 193:",
                "255 | exit code 255:",
            })
    void explainsExitCodes(int code, String expected) {
        assertThat(classify(run(RunEnd.FAILED, task(TaskState.FAILED, exited(code))))
                        .naturalLanguageSummary())
                .contains(", step \"s0\", " + expected + " a task");
    }

    @Test
    void namesSignals() {
        assertThat(classify(run(RunEnd.FAILED, task(TaskState.FAILED, RunFactsFixtures.killed(9, ""))))
                        .naturalLanguageSummary())
                .contains("step \"s0\", killed by SIGKILL: ");
    }

    @Test
    void namesContainerRole() {
        assertThat(classify(run(RunEnd.FAILED, task(TaskState.FAILED).withSteps(StepFacts.sidecar("db", exited(1)))))
                        .naturalLanguageSummary())
                .contains(", sidecar \"db\", ");
        assertThat(classify(run(
                                RunEnd.FAILED,
                                task(TaskState.FAILED).withSteps(RunFactsFixtures.setup("prepare", exited(1)))))
                        .naturalLanguageSummary())
                .contains(", set-up container \"prepare\", ");
    }

    @Test
    void omitsImplausibleTaskCount() {
        List<TaskFacts> third = List.of(TaskFacts.of(2, "fix", TaskState.FAILED));
        assertThat(classify(run(RunEnd.FAILED).tasks(3, third)).naturalLanguageSummary())
                .contains("in task 3 of 3, ");
        assertThat(classify(run(RunEnd.FAILED).tasks(2, third)).naturalLanguageSummary())
                .contains("in task 3, ");
    }

    @ParameterizedTest
    @CsvSource({"999, 999ms", "1000, 1s", "1999, 1s", "0, 0s", "3723004, 1h2m3s"})
    void roundsDurations(long millis, String expected) {
        assertThat(classify(run(RunEnd.LOST).startedAt(Optional.of(END.minusMillis(millis))))
                        .naturalLanguageSummary())
                .contains(" failed after " + expected + ": ");
    }
}
