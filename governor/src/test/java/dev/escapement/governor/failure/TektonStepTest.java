package dev.escapement.governor.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.failure.StepState.NeverStarted;
import dev.escapement.governor.failure.StepState.Terminated;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TektonStepTest {

    private static final Instant CREATED = Instant.parse("2026-03-01T11:00:00Z");
    private static final Instant LATER = CREATED.plusSeconds(7);
    private static final String GIVEN_UP = "TaskRunImagePullFailed";

    @Test
    void aStepThatWasGivenUpWhileItWaitedNeverStartedWhateverItsExitCode() {
        assertThat(step(GIVEN_UP, GIVEN_UP, CREATED, "", "").asState(GIVEN_UP, CREATED))
                .isEqualTo(new NeverStarted(GIVEN_UP, "said"));
    }

    @Test
    void aStepThatWasGivenUpWhileItRanDidStartAndItsExitCodeIsMadeUp() {
        assertThat(step(GIVEN_UP, GIVEN_UP, LATER, "sha256:1", "").asState(GIVEN_UP, CREATED))
                .isEqualTo(new Terminated(Optional.empty(), Optional.empty(), GIVEN_UP, "said", Optional.of(LATER)));
    }

    @Test
    void oneSignAloneIsNotEnoughToSayThatItNeverStarted() {
        assertThat(step(GIVEN_UP, GIVEN_UP, CREATED, "sha256:1", "").asState(GIVEN_UP, CREATED))
                .isInstanceOf(Terminated.class);
        assertThat(step(GIVEN_UP, GIVEN_UP, LATER, "", "").asState(GIVEN_UP, CREATED))
                .isInstanceOf(Terminated.class);
        assertThat(step(GIVEN_UP, GIVEN_UP, CREATED, "", "containerd://1").asState(GIVEN_UP, CREATED))
                .isEqualTo(ended(GIVEN_UP, CREATED));
        assertThat(step("Error", "", CREATED, "", "").asState(GIVEN_UP, CREATED))
                .isEqualTo(ended("Error", CREATED));
    }

    @Test
    void tekTonsOwnWordSaysMoreThanTheContainers() {
        assertThat(step("Completed", "Continued", LATER, "i", "c").asState("Failed", CREATED))
                .isEqualTo(ended("Continued", LATER));
        assertThat(step("Error", "", LATER, "i", "c").asState("Failed", CREATED))
                .isEqualTo(ended("Error", LATER));
    }

    @Test
    void outOfMemoryIsNotHiddenByTektonsWord() {
        assertThat(step("OOMKilled", "Cancelled", LATER, "i", "c").asState("Failed", CREATED))
                .isEqualTo(ended("OOMKilled", LATER));
    }

    @Test
    void aSkippedStepCountsAsStartedBecauseAnyStepCanWriteThatWord() {
        StepState state = step("Error", "Skipped", LATER, "i", "c").asState("StepFailed", CREATED);
        RunFacts run =
                Facts.run(RunEnd.FAILED, Facts.task(TaskState.FAILED, state)).andThatIsAll();
        assertThat(Facts.classify(run).started()).isEqualTo(Started.YES);
    }

    private static Terminated ended(String reason, Instant startedAt) {
        return new Terminated(Optional.of(1), Optional.empty(), reason, "said", Optional.of(startedAt));
    }

    private static TektonStep step(
            String reason, String terminationReason, Instant startedAt, String imageId, String containerId) {
        return new TektonStep(
                1, Optional.empty(), reason, terminationReason, "said", Optional.of(startedAt), imageId, containerId);
    }
}
