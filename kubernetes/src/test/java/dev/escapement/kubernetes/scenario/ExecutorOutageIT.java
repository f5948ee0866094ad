package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.LocalCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Executions while Tekton's webhook or its controller is not running: each ends within its limit. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class ExecutorOutageIT {

    /** Beyond the limit itself: the first seconds without a write, and a machine that is busy. */
    private static final Duration LOADED_MACHINE_DELAY = Duration.ofSeconds(30);

    private final OperatorScenario scenario;
    private final LocalCluster cluster;

    ExecutorOutageIT(OperatorScenario scenario) {
        this.scenario = scenario;
        this.cluster = scenario.cluster().cluster();
    }

    /** A started run may wait for 10 s then, and backs off for at least 2 s. */
    @BeforeEach
    void shortenLimits() {
        scenario.updatePolicy(
                Map.of("executor-timeout", "4s", "base-cooldown-period", "2s", "max-cooldown-period", "3s"));
    }

    @AfterEach
    void startTekton() {
        cluster.setTektonWebhookRunning(true);
        cluster.setTektonControllerRunning(true);
    }

    private CreatedExecution create(String... images) {
        return scenario.tektonWorkflow(images).onTarget(scenario.newTarget()).create();
    }

    @Test
    void webhookAway() {
        CreatedExecution cancelledRunning = create("hang");
        CreatedExecution deletedRunning = create("hang");
        List.of(cancelledRunning, deletedRunning).forEach(running -> scenario.awaitPod(running, "Running"));
        cluster.setTektonWebhookRunning(false);

        CreatedExecution refused = create("succeed");
        CreatedExecution cancelled = create("succeed");
        CreatedExecution deleted = create("succeed");
        CreatedExecution job =
                scenario.jobWorkflow("succeed").onTarget(scenario.newTarget()).create();
        cancelledRunning.markRunDeleted();
        cancelledRunning.cancel("alice");
        deletedRunning.delete();

        StatusView delayed = cancelled.await("delayed", status -> status.contains("pendingDetails"));
        assertThat(delayed.text("phase")).isEqualTo("Pending");
        assertThat(delayed.text("pendingDetails.reason")).isEqualTo("ExecutorUnavailable");
        assertThat(delayed.text("pendingDetails.message")).contains("failed calling webhook");
        assertThat(delayed.time("pendingDetails.until"))
                .isEqualTo(delayed.time("pendingDetails.since").plusSeconds(4));
        assertThat(delayed.condition("Pending")).isEqualTo("True");
        cancelled.cancel("alice");
        deleted.delete();
        cancelled.awaitFinal().assertFailedBeforeStart("Cancelled");

        StatusView failed = refused.awaitFinal()
                .assertFailedBeforeStart("PipelineRunCreationFailed")
                .assertConsecutiveFailures(1);
        assertFailedWithinLimit(refused, failed, Duration.ofSeconds(4));
        assertThat(failed.text("failureDetails.message")).contains("failed calling webhook");
        assertThat(failed.contains("pipelineRunRef")).isFalse();
        job.awaitFinal().assertCompleted();

        cancelledRunning.awaitFinal().assertFailedDuringRun("Cancelled");
        scenario.entry(cancelledRunning.target(), "Blocked");
        scenario.entry(deletedRunning.target(), "Blocked");
        for (CreatedExecution stopped : List.of(cancelledRunning, deletedRunning)) {
            assertThat(stopped.runs()).isEmpty();
        }
        assertThat(scenario.entry(cancelled.target())).isEmpty();
        assertThat(scenario.entry(deleted.target())).isEmpty();

        cluster.setTektonWebhookRunning(true);
        assertRunsAgain(refused);
        for (CreatedExecution stopped : List.of(cancelledRunning, deletedRunning)) {
            ConditionPoller.await(
                    "the pods of " + stopped.qualifiedName() + " are gone",
                    () -> scenario.pods(stopped).isEmpty());
        }
    }

    @Test
    void controllerAway() {
        CreatedExecution overdue = scenario.tektonWorkflow("hang")
                .onTarget(scenario.newTarget())
                .withTimeout("12s")
                .create();
        CreatedExecution cancelledRunning = create("hang");
        CreatedExecution deletedRunning = create("hang");
        CreatedExecution halfEnded = create("hang");
        List.of(overdue, cancelledRunning, deletedRunning, halfEnded)
                .forEach(running -> scenario.awaitPod(running, "Running"));
        cluster.setTektonControllerRunning(false);
        markPipelineRunFailed(halfEnded);

        CreatedExecution notPickedUp = create("succeed");
        CreatedExecution cancelled = create("succeed");
        CreatedExecution deleted = create("succeed");
        List.of(notPickedUp, cancelled, deleted).forEach(CreatedExecution::awaitRunning);
        cancelled.cancel("alice");
        deleted.delete();
        cancelledRunning.markRunDeleted();
        cancelledRunning.cancel("alice");
        deletedRunning.delete();
        overdue.markRunDeleted();

        StatusView failed = notPickedUp
                .awaitFinal()
                .assertFailedBeforeStart("PipelineRunCreationFailed")
                .assertConsecutiveFailures(1);
        assertFailedWithinLimit(notPickedUp, failed, Duration.ofSeconds(10));
        assertThat(failed.text("failureDetails.message")).contains("has not picked up", "within 10s");
        cancelled.awaitFinal().assertFailedBeforeStart("Cancelled");
        cancelledRunning.awaitFinal().assertFailedDuringRun("Cancelled");
        StatusView expired = overdue.awaitFinal().assertFailedDuringRun("DeadlineExceeded");
        assertThat(expired.contains("duration")).isTrue();
        halfEnded.awaitFinal().assertFailedDuringRun("DeadlineExceeded");
        for (CreatedExecution blocked : List.of(overdue, cancelledRunning, deletedRunning, halfEnded)) {
            scenario.entry(blocked.target(), "Blocked");
            assertThat(blocked.runs()).isEmpty();
        }
        ConditionPoller.await(deleted.target() + " is free", () -> isFree(deleted));
        // The withdrawn run still exists, and an operator that starts must not take it for an active one.
        scenario.runWithoutOperator(() -> {});
        assertThat(ConditionPoller.holdsFor(Duration.ofSeconds(3), () -> isFree(deleted)))
                .isTrue();

        // Neither does it keep the target from another executor.
        scenario.jobWorkflow("succeed")
                .onTarget(cancelled.target())
                .create()
                .awaitFinal()
                .assertCompleted();

        cluster.setTektonControllerRunning(true);
        assertRunsAgain(notPickedUp);
        ConditionPoller.await(
                "Tekton has cancelled the withdrawn run",
                () -> conditions(notPickedUp).contains("Cancelled"));
        assertThat(scenario.pods(notPickedUp)).isEmpty();
    }

    private static void assertFailedWithinLimit(CreatedExecution execution, StatusView failed, Duration limit) {
        Instant atLimit = execution.createdAt().plus(limit);
        assertThat(failed.time("failureDetails.failedAt")).isBetween(atLimit, atLimit.plus(LOADED_MACHINE_DELAY));
    }

    /** Does what Tekton does first when a run reaches its timeout; the task of the run and its pod go on. */
    private void markPipelineRunFailed(CreatedExecution execution) {
        execution.markRunDeleted();
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        scenario.admin()
                .resource(execution.onlyRun())
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"status": {"completionTime": "%s", "conditions": [{"type": "Succeeded", "status": "False",
                        "reason": "PipelineRunTimeout", "message": "timed out", "lastTransitionTime": "%s"}]}}
                        """.formatted(now, now));
    }

    private boolean isFree(CreatedExecution execution) {
        return scenario.entry(execution.target())
                .filter(entry -> !entry.text("state").equals("Free"))
                .isEmpty();
    }

    private static String conditions(CreatedExecution execution) {
        GenericKubernetesResource run = execution.onlyRun();
        return String.valueOf(run.<Object>get("status", "conditions"));
    }

    private void assertRunsAgain(CreatedExecution before) {
        StatusView result = ConditionPoller.awaitPresent(
                "an execution on " + before.target() + " after the backoff",
                () -> Optional.of(scenario.tektonWorkflow("succeed")
                                .onTarget(before.target())
                                .create()
                                .awaitFinal())
                        .filter(status -> !status.text("phase").equals("Skipped")));
        result.assertCompleted();
    }
}
