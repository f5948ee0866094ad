package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Failures that are counted across executions, and clearances that reset the count. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class RetriesIT {

    private final OperatorScenario scenario;

    RetriesIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @AfterEach
    void restorePolicy() {
        InstalledCluster.apply(scenario.admin(), "config.yaml");
    }

    @Test
    void fiveStartFailuresExhaustTargetUntilCleared() {
        scenario.updatePolicy(Map.of("base-cooldown-period", "1s", "max-cooldown-period", "2s"));
        List<CreatedExecution> failed = new ArrayList<>();
        for (int failures = 1; failures <= 5; failures++) {
            CreatedExecution execution = requestMissingBundle();
            failed.add(execution);
            StatusView finalStatus = execution
                    .awaitFinal()
                    .assertFailedBeforeStart("ConfigurationError")
                    .assertConsecutiveFailures(failures);
            awaitFailures(execution.target(), failures);
            if (failures == 5) {
                assertThat(finalStatus.contains("nextAllowedExecution"))
                        .describedAs("only a person can lift the limit")
                        .isFalse();
                break;
            }
            assertThat(backoffOf(finalStatus))
                    .isBetween(Duration.ofMillis(failures == 1 ? 1_000 : 1_800), Duration.ofSeconds(2));
            awaitInstant(finalStatus.time("nextAllowedExecution"));
        }

        CreatedExecution sixth = requestMissingBundle();

        StatusView skipped = sixth.awaitFinal().assertSkipped("ExhaustedRetries");
        assertThat(skipped.text("skipDetails.message"))
                .contains("5 executions in a row could not start on " + sixth.target())
                .contains(failed.get(4).qualifiedName(), "the limit is 5", "until a person has removed the cause");
        assertThat(skipped.contains("skipDetails.nextAllowedExecution")).isFalse();
        assertThat(sixth.runs()).isEmpty();
        assertThat(scenario.entry(sixth.target(), "Exhausted").contains("until"))
                .isFalse();

        clearTarget(sixth.target(), "the bundle is pushed");

        assertThat(scenario.entry(sixth.target()).orElseThrow().contains("retry"))
                .isFalse();
        StatusView blocker = failed.get(4).await("cleared", status -> status.contains("blockClearance"));
        assertThat(blocker.text("blockClearance.clearedBy")).isEqualTo("alice");
        scenario.tektonWorkflow("succeed").create().awaitFinal().assertCompleted();
    }

    /** Whether the target is still BackingOff depends on the time. */
    private void awaitFailures(String target, int failures) {
        ConditionPoller.await(
                target + " has " + failures + " failures",
                () -> scenario.entry(target)
                        .filter(entry -> entry.text("retry.consecutiveFailures").equals("" + failures))
                        .isPresent());
    }

    @Test
    void stateFollowsTimeWithoutAnotherExecution() {
        scenario.updatePolicy(Map.of("base-cooldown-period", "2s", "max-cooldown-period", "2s"));
        CreatedExecution failed = requestMissingBundle();
        Instant end = failed.awaitFinal().assertConsecutiveFailures(1).time("nextAllowedExecution");

        StatusView free = scenario.entry(failed.target(), "Free");

        assertThat(Instant.now()).isAfterOrEqualTo(end);
        assertThat(free.contains("until")).isFalse();
        assertThat(free.text("retry.consecutiveFailures")).isEqualTo("1");
    }

    @Test
    void clearedTargetRunsAgain() {
        CreatedExecution failed = scenario.tektonWorkflow("exit:1").create();
        failed.awaitFinal().assertFailedDuringRun("TaskFailed");
        scenario.entry(failed.target(), "Blocked");
        scenario.tektonWorkflow("succeed").create().awaitFinal().assertSkipped("PreviousExecutionFailed");

        clearTarget(failed.target(), "looked, and it is fine");

        StatusView entry = scenario.entry(failed.target()).orElseThrow();
        assertThat(entry.text("clearance.clearedBy")).isEqualTo("alice");
        assertThat(entry.text("clearance.clearReason")).isEqualTo("looked, and it is fine");
        StatusView blocker = failed.await("cleared", status -> status.contains("blockClearance"));
        assertThat(blocker.text("phase")).isEqualTo("Failed");
        assertThat(blocker.text("blockClearance.clearReason")).isEqualTo("looked, and it is fine");
        scenario.tektonWorkflow("succeed").create().awaitFinal().assertCompleted();
    }

    @Test
    void successResetsFailureCount() {
        scenario.updatePolicy(Map.of("base-cooldown-period", "1s", "max-cooldown-period", "1s"));
        CreatedExecution failed = requestMissingBundle();
        awaitInstant(failed.awaitFinal().assertConsecutiveFailures(1).time("nextAllowedExecution"));

        scenario.tektonWorkflow("succeed").create().awaitFinal().assertCompleted();

        assertThat(scenario.entry(failed.target(), "CoolingDown").contains("retry"))
                .isFalse();
        requestMissingBundle("other")
                .awaitFinal()
                .assertFailedBeforeStart("ConfigurationError")
                .assertConsecutiveFailures(1);
    }

    @Test
    void rejectsInvalidPolicyAndKeepsOldOne() {
        scenario.updatePolicy(Map.of("base-cooldown-period", "1s", "max-cooldown-period", "2s"));

        scenario.writePolicy(Map.of("base-cooldown-period", "1 parsec"));

        Event event = ConditionPoller.awaitPresent(
                "the Event of the rejection",
                () -> scenario
                        .admin()
                        .v1()
                        .events()
                        .inNamespace(InstalledCluster.OPERATOR_NAMESPACE)
                        .withField("reason", "PolicyRefused")
                        .list()
                        .getItems()
                        .stream()
                        .filter(found -> found.getMessage().contains("parsec"))
                        .findFirst());
        assertThat(event.getMessage()).contains("base-cooldown-period", "the previous policy stays in effect");
        assertThat(backoffOf(requestMissingBundle().awaitFinal().assertConsecutiveFailures(1)))
                .isLessThan(Duration.ofSeconds(2));
    }

    private CreatedExecution requestMissingBundle() {
        return requestMissingBundle("repair");
    }

    private CreatedExecution requestMissingBundle(String workflow) {
        return scenario.workflow(workflow, scenario.bundles().missingReference())
                .create();
    }

    private static Duration backoffOf(StatusView finalStatus) {
        return Duration.between(finalStatus.time("failureDetails.failedAt"), finalStatus.time("nextAllowedExecution"));
    }

    private static void awaitInstant(Instant time) {
        ConditionPoller.await("it is " + time, () -> !Instant.now().isBefore(time));
    }

    private void clearTarget(String target, String reason) {
        Instant now = Instant.now();
        assertThat(scenario.executionService().clear(Target.parse(target), new Clearance("alice", reason, now)))
                .isPresent();
        ConditionPoller.await(
                "the clearance of " + target + " is published once",
                () -> scenario.targetEvents(target).stream()
                                .filter(event -> event.getReason().equals("BlockCleared"))
                                .filter(event -> event.getMessage().contains(reason))
                                .count()
                        == 1);
    }
}
