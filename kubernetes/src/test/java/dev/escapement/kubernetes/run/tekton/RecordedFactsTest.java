package dev.escapement.kubernetes.run.tekton;

import static dev.escapement.kubernetes.run.tekton.Recorded.pod;
import static dev.escapement.kubernetes.run.tekton.Recorded.pods;
import static dev.escapement.kubernetes.run.tekton.Recorded.run;
import static dev.escapement.kubernetes.run.tekton.Recorded.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.FailureSubject;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.kubernetes.run.Pods;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Objects as Tekton writes them, without a cluster: what cannot be brought about at will, or not quickly. */
class RecordedFactsTest {

    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

    private static RunFacts facts(PipelineRun run, Pods pods, TaskRun... tasks) {
        return new TektonFacts(pods).of(run, List.of(tasks), NOW);
    }

    private static Failure failure(PipelineRun run, Pods pods, TaskRun... tasks) {
        return FailureClassifier.classify(new FailureSubject("repair", "node/a"), facts(run, pods, tasks));
    }

    private static final String GIVEN_UP = """
            podName: run-cordon-pod
            steps:
            - name: do
              container: step-do
              terminationReason: %s
              terminated: {exitCode: 1, reason: %s, startedAt: "2026-11-16T11:59:01Z", finishedAt: "2026-11-16T11:59:09Z"}
            """;

    private static String givenUp(String reason) {
        return GIVEN_UP.formatted(reason, reason);
    }

    @Test
    void aTaskThatTimedOutWhoseDeletedPodNobodySawMayHaveRun() {
        Failure failure = failure(
                run("PipelineRunTimeout", ""),
                pods(),
                task("cordon", "False", "TaskRunTimeout", givenUp("TaskRunTimeout")));
        assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void ofAPodThatWentAMomentAgoTheWatchMayTellYet() {
        TaskRun cordon = task("cordon", "False", "TaskRunCancelled", givenUp("TaskRunCancelled"));
        Instant ended = NOW.minusSeconds(9);
        PipelineRun now = run("Cancelled", "completionTime: \"%s\"".formatted(ended));
        assertThatThrownBy(() -> facts(now, pods(), cordon))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("look again");
        PipelineRun before = run("Cancelled", "completionTime: \"%s\"".formatted(ended.minusSeconds(1)));
        assertThat(failure(before, pods(), cordon).wasExecutionFailure()).isTrue();
    }

    @Test
    void aTaskThatTimedOutInAPodThatEndedWithoutHavingStartedDidNotRun() {
        Pod pod = pod("run-cordon-pod", "uid-cordon", """
                spec: {nodeName: n, containers: [{name: step-do}]}
                status:
                  phase: Failed
                  containerStatuses: [{name: step-do, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]
                """);
        Failure failure = failure(
                run("PipelineRunTimeout", ""),
                pods(pod),
                task("cordon", "False", "TaskRunTimeout", givenUp("TaskRunTimeout")));
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    private static final String ENDED_BY_THE_KUBELET = """
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
    void aContainerThatWasNeverCreatedDidNotRunWhateverExitCodeTheKubeletWrote() {
        Pod pod = pod("run-cordon-pod", "uid-cordon", ENDED_BY_THE_KUBELET.formatted("ready: false"));
        assertThat(failure(
                                run("PipelineRunTimeout", ""),
                                pods(pod),
                                task("cordon", "False", "TaskRunCancelled", givenUp("TaskRunCancelled")))
                        .wasExecutionFailure())
                .isFalse();
    }

    @Test
    void aContainerThatWasCreatedMayHaveRunWhateverBecameOfIt() {
        Pod pod = pod("run-cordon-pod", "uid-cordon", ENDED_BY_THE_KUBELET.formatted("containerID: c1"));
        assertThat(failure(
                                run("PipelineRunTimeout", ""),
                                pods(pod),
                                task("cordon", "False", "TaskRunCancelled", givenUp("TaskRunCancelled")))
                        .wasExecutionFailure())
                .isTrue();
    }

    @Test
    void aPodThatIsStillThereMayStartAContainerAnyMoment() {
        Pod pod = pod("run-cordon-pod", "uid-cordon", """
                spec: {nodeName: n, containers: [{name: step-do}]}
                status:
                  phase: Pending
                  containerStatuses: [{name: step-do, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]
                """);
        assertThat(failure(
                                run("PipelineRunTimeout", ""),
                                pods(pod),
                                task("cordon", "False", "TaskRunTimeout", givenUp("TaskRunTimeout")))
                        .wasExecutionFailure())
                .isTrue();
    }

    @Test
    void aPodOfAnotherTaskRunIsNotBelieved() {
        Pod pod = pod("run-cordon-pod", "uid-of-another", """
                spec: {nodeName: n, containers: [{name: step-do}]}
                status:
                  phase: Failed
                  containerStatuses: [{name: step-do, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]
                """);
        assertThat(failure(
                                run("PipelineRunTimeout", ""),
                                pods(pod),
                                task("cordon", "False", "TaskRunTimeout", givenUp("TaskRunTimeout")))
                        .wasExecutionFailure())
                .isTrue();
    }

    @Test
    void aTaskThatNeverHadAPodDidNotRun() {
        Failure failure = failure(
                run("PipelineRunTimeout", ""),
                pods(),
                task("cordon", "False", "TaskRunTimeout", "taskSpec: {steps: [{name: do}]}"));
        assertThat(failure.failedStepName()).contains("do");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void aPodThatTektonHadNoTimeToNoteIsFound() {
        Pod pod = pod("run-cordon-pod", "uid-cordon", """
                spec: {nodeName: n, containers: [{name: step-do}]}
                status:
                  phase: Running
                  containerStatuses: [{name: step-do, restartCount: 0, state: {running: {startedAt: "2026-11-16T11:59:02Z"}}}]
                """);
        assertThat(failure(
                                run("PipelineRunTimeout", ""),
                                pods(pod),
                                task("cordon", "False", "TaskRunTimeout", "taskSpec: {steps: [{name: do}]}"))
                        .wasExecutionFailure())
                .isTrue();
    }

    @Test
    void anImageThatCouldNotBePulledInTheSecondAttemptHasRunInTheFirst() {
        Failure failure = failure(
                run("Failed", ""),
                pods(),
                task("cordon", "False", "TaskRunImagePullFailed", givenUp("TaskRunImagePullFailed") + """
                        retriesStatus:
                        - conditions: [{type: Succeeded, status: "False", reason: Failed}]
                          steps: [{name: do, terminated: {exitCode: 3, reason: Error, containerID: c1, startedAt: "2026-11-16T11:59:02Z"}}]
                        """));
        assertThat(failure.reason()).isEqualTo(FailureReason.ImagePullBackOff);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void aTaskRunThatIsGoneIsNotForgotten() {
        PipelineRun run = run("CouldntGetTask", """
                childReferences: [{kind: TaskRun, name: run-cordon, pipelineTaskName: cordon}]
                """);
        assertThat(failure(run, pods()).wasExecutionFailure()).isTrue();
        assertThat(failure(run("CouldntGetTask", ""), pods()).wasExecutionFailure())
                .isFalse();
    }

    @Test
    void aTaskOfAnotherKindCannotBeLookedInto() {
        PipelineRun run = run("CouldntGetTask", """
                childReferences: [{kind: CustomRun, name: run-cordon, pipelineTaskName: cordon}]
                """);
        assertThat(failure(run, pods()).wasExecutionFailure()).isTrue();
    }

    @Test
    void aTaskRunThatTektonCreatedAndDidNotListCounts() {
        assertThat(failure(run("CreateRunFailed", ""), pods(), task("cordon", "True", "Succeeded", ""))
                        .wasExecutionFailure())
                .isTrue();
    }

    @Test
    void tasksThatWereNotNeededAreToldFromThoseThatDidNotGetTheirTurn() {
        RunFacts facts = facts(run("Failed", """
                skippedTasks:
                - {name: cordon, reason: When Expressions evaluated to false}
                - {name: tell, reason: PipelineRun was stopping}
                """), pods());
        assertThat(facts.tasks()).extracting("name").containsExactly("cordon");
        assertThat(facts.totalTasks()).contains(3);
    }

    @Test
    void nonsenseIsNoFact() {
        PipelineRun run = Serialization.unmarshal("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: run, uid: uid-run}
                status: {conditions: 3, startTime: yesterday, childReferences: [1, {kind: 2}], pipelineSpec: [x]}
                """, PipelineRun.class);
        assertThat(Conditions.of(run).isOver()).isFalse();
        assertThat(Outline.of(run).total()).isZero();
        assertThat(facts(run, pods()).endedAt()).isEqualTo(NOW);
    }
}
