package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Executions that wait for a target. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class WaitingIT {

    private static final boolean NIGHTLY = Boolean.getBoolean("escapement.nightly");

    private final OperatorScenario scenario;

    WaitingIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    private CreatedExecution createWaiting(String name, String workflow, String waitFor) {
        return scenario.workflow(workflow, "simulated.local/succeed")
                .withEngine("job")
                .withName(name)
                .waitingFor(waitFor)
                .create();
    }

    private CreatedExecution startHolder(String target) {
        CreatedExecution holder = scenario.jobWorkflow("wait").onTarget(target).create();
        assertThat(holder.awaitRunning().text("phase")).isEqualTo("Running");
        return holder;
    }

    private static StatusView awaitWaiting(CreatedExecution execution) {
        return execution.await(
                "waiting", status -> status.text("pendingDetails.reason").equals("Waiting"));
    }

    /** The target is released while no operator runs, and everything is found again after its start. */
    @Test
    void runsInOrderOfAgeAfterRestartOfOperator() {
        CreatedExecution holder = startHolder(scenario.target());
        CreatedExecution first = createWaiting("a-first", "drain", "10m");
        CreatedExecution second = createWaiting("b-second", "restart", "10m");
        StatusView waiting = awaitWaiting(second);
        awaitWaiting(first);
        assertThat(waiting.text("phase")).isEqualTo("Pending");
        assertThat(waiting.text("pendingDetails.message")).contains(scenario.target(), holder.qualifiedName());
        assertThat(waiting.time("pendingDetails.until")).isAfter(Instant.now());

        scenario.runWithoutOperator(() -> scenario.endPod(holder, "succeed"));

        StatusView firstEnd = first.awaitFinal().assertCompleted();
        StatusView secondEnd = second.awaitFinal().assertCompleted();
        assertThat(firstEnd.time("completionTime")).isBeforeOrEqualTo(secondEnd.time("startTime"));
        assertThat(first.eventReasons()).contains("WorkflowPending");
    }

    @Test
    void isSkippedAtDeadlineAndAfterBlock() {
        CreatedExecution holder = startHolder(scenario.target());
        CreatedExecution tooShort = createWaiting("too-short", "drain", "2s");
        CreatedExecution patient = createWaiting("patient", "restart", "10m");
        tooShort.awaitFinal().assertSkipped("ResourceBusy");
        awaitWaiting(patient);
        scenario.endPod(holder, "exit:3");
        patient.awaitFinal().assertSkipped("PreviousExecutionFailed");
    }

    @Test
    void cancellationEndsTheWaitAndDeletionWakesTheNext() {
        CreatedExecution holder = startHolder(scenario.target());
        CreatedExecution cancelled = createWaiting("a-cancelled", "drain", "10m");
        CreatedExecution deleted = createWaiting("b-deleted", "drain", "10m");
        CreatedExecution last = createWaiting("c-last", "drain", "10m");
        awaitWaiting(cancelled);
        awaitWaiting(deleted);
        awaitWaiting(last);
        cancelled.cancel("anna");
        assertThat(cancelled.awaitFinal().text("failureDetails.reason")).isEqualTo("Cancelled");
        deleted.delete();
        scenario.endPod(holder, "succeed");
        last.awaitFinal().assertCompleted();
    }

    @Test
    void waitingCostsNoRequests() {
        int count = NIGHTLY ? 1_000 : 60;
        List<CreatedExecution> all = new ArrayList<>();
        List<CreatedExecution> holders = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i % 100 == 0) {
                holders.add(startHolder(scenario.newTarget()));
            }
            all.add(scenario.workflow("drain", "simulated.local/succeed")
                    .withEngine("job")
                    .onTarget(holders.get(holders.size() - 1).target())
                    .waitingFor("1h")
                    .create());
        }
        all.forEach(WaitingIT::awaitWaiting);
        // Events are written a little later than the status, and targets of other tests cool down meanwhile.
        Duration span = Duration.ofSeconds(NIGHTLY ? 60 : 3);
        boolean silent = ConditionPoller.isTrueWithin(span.multipliedBy(5), () -> {
            int before = scenario.operator().requestCount();
            return ConditionPoller.holdsFor(span, () -> scenario.operator().requestCount() == before);
        });
        assertThat(silent)
                .describedAs("no request for %s while %d executions wait", span, count)
                .isTrue();
        all.forEach(execution -> execution.cancel("the test"));
        holders.forEach(holder -> scenario.endPod(holder, "succeed"));
        all.forEach(CreatedExecution::awaitFinal);
    }
}
