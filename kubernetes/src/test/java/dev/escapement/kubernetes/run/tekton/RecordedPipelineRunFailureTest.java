package dev.escapement.kubernetes.run.tekton;

import static dev.escapement.kubernetes.run.tekton.TektonFixtures.pipelineRun;
import static dev.escapement.kubernetes.run.tekton.TektonFixtures.pod;
import static dev.escapement.kubernetes.run.tekton.TektonFixtures.podLookup;
import static dev.escapement.kubernetes.run.tekton.TektonFixtures.taskRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.kubernetes.run.PodLookup;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Failures read from recorded Tekton objects, for cases that cannot be provoked on a cluster. */
class RecordedPipelineRunFailureTest {

    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

    private static RunFacts facts(PipelineRun run, PodLookup pods, TaskRun... tasks) {
        return new PipelineRunFailureReader(pods).read(run, List.of(tasks), NOW);
    }

    private static Failure failure(PipelineRun run, PodLookup pods, TaskRun... tasks) {
        return FailureClassifier.classify("repair", "node/a", facts(run, pods, tasks));
    }

    private static final String TERMINATED_STEP = """
            podName: run-cordon-pod
            steps:
            - name: do
              container: step-do
              terminationReason: %s
              terminated: {exitCode: 1, reason: %s, startedAt: "2026-11-16T11:59:01Z", finishedAt: "2026-11-16T11:59:09Z"}
            """;

    private static String terminatedStep(String reason) {
        return TERMINATED_STEP.formatted(reason, reason);
    }

    @Test
    void timedOutTaskWithUnseenDeletedPodMayHaveRun() {
        Failure failure = failure(
                pipelineRun("PipelineRunTimeout", ""),
                podLookup(),
                taskRun("cordon", "False", "TaskRunTimeout", terminatedStep("TaskRunTimeout")));
        assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void waitsForWatchOfRecentlyDeletedPod() {
        TaskRun cordon = taskRun("cordon", "False", "TaskRunCancelled", terminatedStep("TaskRunCancelled"));
        Instant ended = NOW.minusSeconds(9);
        PipelineRun recent = pipelineRun("Cancelled", "completionTime: \"%s\"".formatted(ended));
        assertThatThrownBy(() -> facts(recent, podLookup(), cordon))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("will retry");
        PipelineRun old = pipelineRun("Cancelled", "completionTime: \"%s\"".formatted(ended.minusSeconds(1)));
        assertThat(failure(old, podLookup(), cordon).wasExecutionFailure()).isTrue();
    }

    @Test
    void timedOutTaskWhosePodNeverStartedDidNotRun() {
        Pod pod = pod("run-cordon-pod", "uid-cordon", """
                spec: {nodeName: n, containers: [{name: step-do}]}
                status:
                  phase: Failed
                  containerStatuses: [{name: step-do, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]
                """);
        Failure failure = failure(
                pipelineRun("PipelineRunTimeout", ""),
                podLookup(pod),
                taskRun("cordon", "False", "TaskRunTimeout", terminatedStep("TaskRunTimeout")));
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    private static final String UNKNOWN_CONTAINER_STATUS = """
            spec: {nodeName: n, containers: [{name: step-do}]}
            status:
              phase: Failed
              containerStatuses:
              - name: step-do
                restartCount: 0
                %s
                state: {terminated: {exitCode: 137, reason: ContainerStatusUnknown, message: could not be located}}
            """;

    @Test
    void neverCreatedContainerDidNotRunDespiteExitCode() {
        Pod pod = pod("run-cordon-pod", "uid-cordon", UNKNOWN_CONTAINER_STATUS.formatted("ready: false"));
        assertThat(failure(
                                pipelineRun("PipelineRunTimeout", ""),
                                podLookup(pod),
                                taskRun("cordon", "False", "TaskRunCancelled", terminatedStep("TaskRunCancelled")))
                        .wasExecutionFailure())
                .isFalse();
    }

    @Test
    void createdContainerMayHaveRun() {
        Pod pod = pod("run-cordon-pod", "uid-cordon", UNKNOWN_CONTAINER_STATUS.formatted("containerID: c1"));
        assertThat(failure(
                                pipelineRun("PipelineRunTimeout", ""),
                                podLookup(pod),
                                taskRun("cordon", "False", "TaskRunCancelled", terminatedStep("TaskRunCancelled")))
                        .wasExecutionFailure())
                .isTrue();
    }

    @Test
    void containerOfPendingPodMayHaveRun() {
        Pod pod = pod("run-cordon-pod", "uid-cordon", """
                spec: {nodeName: n, containers: [{name: step-do}]}
                status:
                  phase: Pending
                  containerStatuses: [{name: step-do, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]
                """);
        assertThat(failure(
                                pipelineRun("PipelineRunTimeout", ""),
                                podLookup(pod),
                                taskRun("cordon", "False", "TaskRunTimeout", terminatedStep("TaskRunTimeout")))
                        .wasExecutionFailure())
                .isTrue();
    }

    @Test
    void ignoresPodOfOtherTaskRun() {
        Pod pod = pod("run-cordon-pod", "uid-of-another", """
                spec: {nodeName: n, containers: [{name: step-do}]}
                status:
                  phase: Failed
                  containerStatuses: [{name: step-do, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]
                """);
        assertThat(failure(
                                pipelineRun("PipelineRunTimeout", ""),
                                podLookup(pod),
                                taskRun("cordon", "False", "TaskRunTimeout", terminatedStep("TaskRunTimeout")))
                        .wasExecutionFailure())
                .isTrue();
    }

    @Test
    void taskWithoutPodDidNotRun() {
        Failure failure = failure(
                pipelineRun("PipelineRunTimeout", ""),
                podLookup(),
                taskRun("cordon", "False", "TaskRunTimeout", "taskSpec: {steps: [{name: do}]}"));
        assertThat(failure.failedStepName()).contains("do");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void findsPodNotRecordedByTekton() {
        Pod pod = pod("run-cordon-pod", "uid-cordon", """
                spec: {nodeName: n, containers: [{name: step-do}]}
                status:
                  phase: Running
                  containerStatuses: [{name: step-do, restartCount: 0, state: {running: {startedAt: "2026-11-16T11:59:02Z"}}}]
                """);
        assertThat(failure(
                                pipelineRun("PipelineRunTimeout", ""),
                                podLookup(pod),
                                taskRun("cordon", "False", "TaskRunTimeout", "taskSpec: {steps: [{name: do}]}"))
                        .wasExecutionFailure())
                .isTrue();
    }

    @Test
    void countsFirstAttemptAsRunWhenRetryCannotPullImage() {
        Failure failure = failure(
                pipelineRun("Failed", ""),
                podLookup(),
                taskRun("cordon", "False", "TaskRunImagePullFailed", terminatedStep("TaskRunImagePullFailed") + """
                        retriesStatus:
                        - conditions: [{type: Succeeded, status: "False", reason: Failed}]
                          steps: [{name: do, terminated: {exitCode: 3, reason: Error, containerID: c1, startedAt: "2026-11-16T11:59:02Z"}}]
                        """));
        assertThat(failure.reason()).isEqualTo(FailureReason.ImagePullBackOff);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void deletedTaskRunMayHaveRun() {
        PipelineRun run = pipelineRun("CouldntGetTask", """
                childReferences: [{kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}]
                """);
        assertThat(failure(run, podLookup()).wasExecutionFailure()).isTrue();
        assertThat(failure(pipelineRun("CouldntGetTask", ""), podLookup()).wasExecutionFailure())
                .isFalse();
    }

    @Test
    void customRunMayHaveRun() {
        PipelineRun run = pipelineRun("CouldntGetTask", """
                childReferences: [{kind: CustomRun, name: run-cordon, pipelineTaskName: cordon}]
                """);
        assertThat(failure(run, podLookup()).wasExecutionFailure()).isTrue();
    }

    @Test
    void countsTaskRunNotListedInStatus() {
        assertThat(failure(pipelineRun("CreateRunFailed", ""), podLookup(), taskRun("cordon", "True", "Succeeded", ""))
                        .wasExecutionFailure())
                .isTrue();
    }

    @Test
    void separatesSkippedTasksFromUnreachedTasks() {
        RunFacts facts = facts(pipelineRun("Failed", """
                skippedTasks:
                - {name: cordon, reason: When Expressions evaluated to false}
                - {name: tell, reason: PipelineRun was stopping}
                """), podLookup());
        assertThat(facts.tasks()).extracting("name").containsExactly("cordon");
        assertThat(facts.totalTasks()).contains(3);
    }

    @Test
    void ignoresMalformedStatus() {
        PipelineRun run = Serialization.unmarshal("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: run, uid: uid-run}
                status: {conditions: 3, startTime: yesterday, childReferences: [1, {kind: 2}], pipelineSpec: [x]}
                """, PipelineRun.class);
        assertThat(SucceededCondition.of(run).isFinished()).isFalse();
        assertThat(PipelineSummary.of(run).taskCount()).isZero();
        assertThat(facts(run, podLookup()).endedAt()).isEqualTo(NOW);
    }
}
