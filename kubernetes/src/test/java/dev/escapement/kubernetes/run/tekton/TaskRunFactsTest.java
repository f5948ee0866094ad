package dev.escapement.kubernetes.run.tekton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepState;
import dev.escapement.governor.failure.StepState.NeverStarted;
import dev.escapement.governor.failure.StepState.Terminated;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.kubernetes.run.KubernetesReasons;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskRunFactsTest {

    private static final Instant CREATED = Instant.parse("2026-03-01T11:00:00Z");
    private static final Instant LATER = CREATED.plusSeconds(7);
    private static final String TASK_RUN_REASON = "TaskRunImagePullFailed";

    @Test
    void abandonedWaitingStepNeverStarted() {
        assertThat(stateOf(step(TASK_RUN_REASON, TASK_RUN_REASON, CREATED, "", ""), TASK_RUN_REASON))
                .isEqualTo(new NeverStarted(TASK_RUN_REASON, "said"));
    }

    @Test
    void abandonedRunningStepStartedAndHasNoExitCode() {
        assertThat(stateOf(step(TASK_RUN_REASON, TASK_RUN_REASON, LATER, "sha256:1", ""), TASK_RUN_REASON))
                .isEqualTo(new Terminated(
                        Optional.empty(), Optional.empty(), TASK_RUN_REASON, "said", Optional.of(LATER)));
    }

    @Test
    void neverStartedNeedsCreationTimeAndMissingImage() {
        assertThat(stateOf(step(TASK_RUN_REASON, TASK_RUN_REASON, CREATED, "sha256:1", ""), TASK_RUN_REASON))
                .isInstanceOf(Terminated.class);
        assertThat(stateOf(step(TASK_RUN_REASON, TASK_RUN_REASON, LATER, "", ""), TASK_RUN_REASON))
                .isInstanceOf(Terminated.class);
        assertThat(stateOf(step(TASK_RUN_REASON, TASK_RUN_REASON, CREATED, "", "containerd://1"), TASK_RUN_REASON))
                .isEqualTo(terminatedState(TASK_RUN_REASON, CREATED));
        assertThat(stateOf(step("Error", "", CREATED, "", ""), TASK_RUN_REASON))
                .isEqualTo(terminatedState("Error", CREATED));
    }

    @Test
    void prefersTektonTerminationReason() {
        assertThat(stateOf(step("Completed", "Continued", LATER, "i", "c"), "Failed"))
                .isEqualTo(terminatedState("Continued", LATER));
        assertThat(stateOf(step("Error", "", LATER, "i", "c"), "Failed")).isEqualTo(terminatedState("Error", LATER));
    }

    @Test
    void terminationReasonDoesNotHideOomKilled() {
        assertThat(stateOf(step("OOMKilled", "Cancelled", LATER, "i", "c"), "Failed"))
                .isEqualTo(terminatedState("OOMKilled", LATER));
    }

    @Test
    void skippedStepCountsAsStarted() {
        StepState state = stateOf(step("Error", "Skipped", LATER, "i", "c"), "StepFailed");
        TaskFacts task = TaskFacts.of(0, "fix", TaskState.FAILED).withSteps(StepFacts.step("s0", state));
        RunFacts run = RunFacts.of(RunEnd.FAILED, LATER)
                .withReasonTable(KubernetesReasons.TEKTON_TABLE)
                .tasks(1, List.of(task))
                .asComplete();
        assertThat(StartStatus.of(run)).isEqualTo(StartStatus.YES);
    }

    private static Terminated terminatedState(String reason, Instant startedAt) {
        return new Terminated(Optional.of(1), Optional.empty(), reason, "said", Optional.of(startedAt));
    }

    private static StepState stateOf(LenientNode step, String taskRunReason) {
        return TaskRunFacts.terminatedState(step, taskRunReason, CREATED);
    }

    private static LenientNode step(
            String reason, String terminationReason, Instant startedAt, String imageId, String containerId) {
        Map<String, Object> terminated = Map.of(
                "exitCode",
                1,
                "reason",
                reason,
                "message",
                "said",
                "startedAt",
                startedAt.toString(),
                "containerID",
                containerId);
        return new LenientNode(
                Map.of("terminated", terminated, "terminationReason", terminationReason, "imageID", imageId));
    }
}
