package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.request.Retention;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Finished executions and their runs are removed after their retention, unless the ledger needs them. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class RetentionIT {

    private static final Retention SHORT = new Retention(Duration.ofSeconds(1));

    private final OperatorScenario scenario;

    RetentionIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void keepsBlockingExecutionUntilItIsCleared() {
        CreatedExecution blocking = scenario.jobWorkflow("exit:3").create();
        blocking.awaitFinal().assertFailedDuringRun("TaskFailed");
        scenario.entry(blocking.target(), "Blocked");
        CreatedExecution skipped = scenario.jobWorkflow("succeed").create();
        skipped.awaitFinal().assertSkipped("PreviousExecutionFailed");

        scenario.runWithoutOperator(() -> {
            try (InProcessOperator operator =
                    new InProcessOperator(scenario.cluster(), InstalledCluster.RUN_NAMESPACE, SHORT)) {
                ConditionPoller.await("the skipped execution is removed", () -> !exists(skipped));
                assertThat(exists(blocking)).isTrue();
                assertThat(scenario.entry(blocking.target(), "Blocked").items("workflows"))
                        .describedAs("nothing is reset")
                        .hasSize(1);
                Clearance clearance = new Clearance("anna", "checked", Instant.now());
                assertThat(operator.executionService().clear(Target.parse(blocking.target()), clearance))
                        .isPresent();
                ConditionPoller.await("the cleared execution is removed", () -> !exists(blocking));
                ConditionPoller.await(
                        "its run is removed", () -> blocking.runs().isEmpty());
                ConditionPoller.await(
                        "the Event", () -> !deletionMessages(blocking).isEmpty());
            }
        });

        assertThat(deletionMessages(blocking)).singleElement().asString().startsWith(Transition.RETENTION_EXPIRED);
        blocking.markDeleted();
        skipped.markDeleted();
    }

    private boolean exists(CreatedExecution execution) {
        return scenario.admin()
                        .resources(UntypedExecution.class)
                        .inNamespace(execution.namespace())
                        .withName(execution.name())
                        .get()
                != null;
    }

    private List<String> deletionMessages(CreatedExecution execution) {
        return scenario
                .admin()
                .v1()
                .events()
                .inNamespace(execution.namespace())
                .withField("involvedObject.uid", execution.uid())
                .list()
                .getItems()
                .stream()
                .filter(event -> event.getReason().equals("ExecutionDeleted"))
                .map(Event::getMessage)
                .toList();
    }
}
