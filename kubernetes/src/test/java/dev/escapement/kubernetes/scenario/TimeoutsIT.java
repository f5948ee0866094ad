package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.cluster.ClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** Executions that reach their timeout. All are created at once, so that they wait in parallel. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
@TestInstance(Lifecycle.PER_CLASS)
class TimeoutsIT {

    /** Long enough for a pod to start on a busy machine. */
    private static final String RUNNING_TIMEOUT = "15s";

    /** Long enough for Tekton to record the pod that it created: it does not delete an unrecorded one. */
    private static final String UNSCHEDULED_TIMEOUT = "14s";

    private final OperatorScenario scenario;
    private final CreatedExecution neverScheduled;
    private final CreatedExecution jobNeverScheduled;
    private final CreatedExecution hanging;
    private final CreatedExecution jobHanging;

    TimeoutsIT(OperatorScenario scenario) {
        this.scenario = scenario;
        this.hanging = scenario.tektonWorkflow("hang")
                .onTarget(scenario.newTarget())
                .withTimeout(RUNNING_TIMEOUT)
                .create();
        this.jobHanging = scenario.jobWorkflow("hang")
                .onTarget(scenario.newTarget())
                .withTimeout(RUNNING_TIMEOUT)
                .create();
        this.neverScheduled = scenario.tektonWorkflow("never-scheduled")
                .onTarget(scenario.newTarget())
                .withTimeout(UNSCHEDULED_TIMEOUT)
                .create();
        this.jobNeverScheduled = scenario.jobWorkflow("never-scheduled")
                .onTarget(scenario.newTarget())
                .withTimeout(UNSCHEDULED_TIMEOUT)
                .create();
    }

    @Test
    void unschedulableRunTimesOutAsStartFailure() {
        assertFailedBeforeStart(neverScheduled);
    }

    @Test
    void unschedulableJobTimesOutAsStartFailure() {
        assertFailedBeforeStart(jobNeverScheduled);
    }

    private void assertFailedBeforeStart(CreatedExecution execution) {
        StatusView finalStatus = execution.await("final", StatusView::isFinal);
        assertThat(finalStatus.text("failureDetails.reason")).isIn("DeadlineExceeded", "ResourceExhausted");
        finalStatus
                .assertFailedBeforeStart(finalStatus.text("failureDetails.reason"))
                .assertConsecutiveFailures(1);
        StatusView entry = scenario.entry(execution.target(), "BackingOff");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(finalStatus.time("nextAllowedExecution"));
        assertThat(execution.onlyRun()).isNotNull();
    }

    @Test
    void hangingRunTimesOutAndBlocksTarget() {
        assertBlocked(hanging);
    }

    @Test
    void hangingJobTimesOutAndBlocksTarget() {
        assertBlocked(jobHanging);
    }

    private void assertBlocked(CreatedExecution execution) {
        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("DeadlineExceeded");
        assertThat(finalStatus.text("failureDetails.naturalLanguageSummary")).contains("time");
        assertThat(scenario.entry(execution.target(), "Blocked").items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.reason")).isEqualTo("DeadlineExceeded"));
        assertThat(execution.onlyRun()).isNotNull();
    }
}
