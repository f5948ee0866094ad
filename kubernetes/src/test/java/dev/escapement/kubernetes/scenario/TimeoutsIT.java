package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.cluster.ClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** Executions whose time is up. They are asked for all at once, so that the waits are one wait. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
@TestInstance(Lifecycle.PER_CLASS)
class TimeoutsIT {

    /** Enough for a pod to start on a busy machine. */
    private static final String RUNNING_TIMEOUT = "15s";

    /** Enough for Tekton to note the pod that it made: one that it has not noted it does not delete. */
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

    private void assertFailedBeforeStart(CreatedExecution asked) {
        StatusView ended = asked.await("final", StatusView::isFinal);
        assertThat(ended.text("failureDetails.reason")).isIn("DeadlineExceeded", "ResourceExhausted");
        ended.assertFailedBeforeStart(ended.text("failureDetails.reason")).assertConsecutiveFailures(1);
        StatusView entry = scenario.entry(asked.target(), "BackingOff");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(ended.time("nextAllowedExecution"));
        assertThat(asked.onlyRun()).isNotNull();
    }

    @Test
    void hangingRunTimesOutAndBlocksTarget() {
        assertBlocked(hanging);
    }

    @Test
    void hangingJobTimesOutAndBlocksTarget() {
        assertBlocked(jobHanging);
    }

    private void assertBlocked(CreatedExecution asked) {
        StatusView ended = asked.awaitFinal().assertFailedDuringRun("DeadlineExceeded");
        assertThat(ended.text("failureDetails.naturalLanguageSummary")).contains("time");
        assertThat(scenario.entry(asked.target(), "Blocked").items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.reason")).isEqualTo("DeadlineExceeded"));
        assertThat(asked.onlyRun()).isNotNull();
    }
}
