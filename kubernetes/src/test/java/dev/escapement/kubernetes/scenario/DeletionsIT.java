package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Target;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.UntypedTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Deletions of runs, executions, entries and namespaces. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class DeletionsIT {

    private static final int ROUNDS = Boolean.getBoolean("escapement.nightly") ? 20 : 5;

    private final OperatorScenario scenario;

    DeletionsIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void deletedRunCountsAsExecutionFailure() {
        CreatedExecution execution = scenario.tektonWorkflow("wait").create();
        scenario.awaitPod(execution, "Running");

        execution.markRunDeleted();
        scenario.admin().resource(execution.onlyRun()).delete();

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("PipelineRunDeleted");
        assertThat(finalStatus.text("failureDetails.message")).contains("no longer exists");
        assertThat(finalStatus.text("failureDetails.naturalLanguageSummary")).contains("deleted from outside");
        StatusView entry = scenario.entry(execution.target(), "Blocked");
        assertThat(entry.items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.reason")).isEqualTo("PipelineRunDeleted"));
        CreatedExecution next = scenario.tektonWorkflow("succeed").create();
        next.awaitFinal().assertSkipped("PreviousExecutionFailed");
    }

    @Test
    void deletingRunningExecutionStopsRunAndReleasesTarget() {
        CreatedExecution execution = scenario.tektonWorkflow("hang").create();
        scenario.awaitPod(execution, "Running");

        execution.delete();

        assertCleanedUp(execution);
    }

    @Test
    void deletingExecutionStopsJob() {
        CreatedExecution execution = scenario.jobWorkflow("hang").create();
        scenario.awaitPod(execution, "Running");

        execution.delete();

        assertCleanedUp(execution);
    }

    @Test
    void deletingNamespaceStopsRunsAndReleasesTargets() {
        String namespace = scenario.cluster().createNamespace("doomed");
        CreatedExecution execution =
                scenario.tektonWorkflow("hang").inNamespace(namespace).create();
        scenario.awaitPod(execution, "Running");

        execution.markDeleted();
        scenario.admin().namespaces().withName(namespace).delete();

        assertCleanedUp(execution);
        ConditionPoller.await(
                "the namespace is gone",
                () -> scenario.admin().namespaces().withName(namespace).get() == null);
    }

    @Test
    void stopsTerminatingExecutionAndReleasesTarget() {
        CreatedExecution execution = scenario.tektonWorkflow("hang").create();
        execution.addFinalizer();
        scenario.awaitPod(execution, "Running");

        execution.delete();

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("Cancelled");
        assertThat(finalStatus.text("failureDetails.message")).isEqualTo("cancelled by its deletion");
        assertThat(execution.onlyRun().<String>get("spec", "status")).isEqualTo("Cancelled");
        assertThat(scenario.entry(execution.target(), "Blocked").contains("holder"))
                .isFalse();
        execution.removeFinalizer();
        ConditionPoller.await("its run is gone", () -> execution.runs().isEmpty());
        assertForgotten(execution);
    }

    @Test
    void stopsTerminatingExecutionFoundAtStartup() {
        CreatedExecution execution = scenario.jobWorkflow("hang").create();
        execution.addFinalizer();
        scenario.awaitPod(execution, "Running");

        scenario.runWithoutOperator(execution::delete);

        execution.awaitFinal().assertFailedDuringRun("Cancelled");
        execution.removeFinalizer();
        ConditionPoller.await("its run is gone", () -> execution.runs().isEmpty());
    }

    @Test
    void runsExecutionRecreatedUnderSameName() {
        for (int round = 0; round < ROUNDS; round++) {
            CreatedExecution execution = scenario.jobWorkflow("succeed")
                    .withName("again-and-again")
                    .onTarget(scenario.newTarget())
                    .create();
            execution.awaitFinal().assertCompleted();
            execution.delete();
        }
    }

    /** The entry itself is removed a minute later, after the maximum clock skew. */
    private void assertForgotten(CreatedExecution deleted) {
        ConditionPoller.await(
                "no workflow is remembered of " + deleted.qualifiedName(),
                () -> scenario.entry(deleted.target())
                        .map(entry -> !entry.contains("workflows"))
                        .orElse(true));
    }

    /** A run whose end was not observed blocks its target, even if its execution was deleted. */
    private void assertCleanedUp(CreatedExecution deleted) {
        StatusView entry = scenario.entry(deleted.target(), "Blocked");
        assertThat(entry.contains("holder")).isFalse();
        assertThat(entry.items("workflows")).singleElement().satisfies(workflow -> {
            assertThat(workflow.text("block.uid")).isEqualTo(deleted.uid());
            assertThat(workflow.text("block.executionDeleted")).isEqualTo("true");
        });
        ConditionPoller.await(
                "the run of " + deleted.qualifiedName() + " is gone",
                () -> deleted.runs().isEmpty());
        ConditionPoller.await("its pods are gone", () -> scenario.pods(deleted).isEmpty());
        CreatedExecution next = scenario.tektonWorkflow("succeed").create();
        assertThat(next.awaitFinal().assertSkipped("PreviousExecutionFailed").text("skipDetails.message"))
                .contains(deleted.qualifiedName(), "until a person has looked and cleared it");
        assertThat(next.runs()).isEmpty();
    }

    @Test
    void restoresDeletedEntryOfRunningHolder() {
        CreatedExecution execution = scenario.tektonWorkflow("wait").create();
        scenario.awaitPod(execution, "Running");
        StatusView before = scenario.entry(execution.target(), "Held");

        deleteEntry(execution);

        StatusView after = scenario.entry(execution.target(), "Held");
        assertThat(after.text("holder.uid")).isEqualTo(execution.uid());
        assertThat(after.text("epoch")).isEqualTo(before.text("epoch"));
        scenario.endPod(execution, "exit:1");
        execution.awaitFinal().assertFailedDuringRun("TaskFailed");
        scenario.entry(execution.target(), "Blocked");
    }

    @Test
    void restoresEntryDeletedWhileOperatorWasDown() {
        CreatedExecution execution = scenario.tektonWorkflow("wait").create();
        scenario.awaitPod(execution, "Running");
        scenario.entry(execution.target(), "Held");

        scenario.runWithoutOperator(() -> {
            deleteEntry(execution);
            scenario.endPod(execution, "exit:1");
        });

        execution.awaitFinal().assertFailedDuringRun("TaskFailed");
        assertThat(scenario.entry(execution.target(), "Blocked").items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.uid")).isEqualTo(execution.uid()));
    }

    /** As after a crash between the final status and the release. */
    @Test
    void releasesEntryHeldByFinishedExecution() {
        CreatedExecution execution = scenario.tektonWorkflow("wait").create();
        scenario.awaitPod(execution, "Running");
        scenario.entry(execution.target(), "Held");
        UntypedTarget held = scenario.admin()
                .resources(UntypedTarget.class)
                .withName(Target.parse(execution.target()).objectName())
                .require();
        scenario.endPod(execution, "succeed");
        execution.awaitFinal().assertCompleted();
        scenario.entry(execution.target(), "CoolingDown");

        scenario.admin()
                .resources(UntypedTarget.class)
                .withName(held.getMetadata().getName())
                .edit(free -> {
                    free.setStatus(held.getStatus());
                    return free;
                });

        assertThat(scenario.entry(execution.target(), "CoolingDown").items("workflows"))
                .singleElement()
                .satisfies(
                        workflow -> assertThat(workflow.text("completed.uid")).isEqualTo(execution.uid()));
    }

    private void deleteEntry(CreatedExecution execution) {
        scenario.admin()
                .resources(UntypedTarget.class)
                .withName(Target.parse(execution.target()).objectName())
                .delete();
    }

    @Test
    void deletingFailedExecutionForgetsFailure() {
        CreatedExecution failed = scenario.tektonWorkflow("exit:1").create();
        failed.awaitFinal().assertFailedDuringRun("TaskFailed");
        scenario.entry(failed.target(), "Blocked");

        failed.delete();

        assertForgotten(failed);
        CreatedExecution next = scenario.tektonWorkflow("succeed").create();
        next.awaitFinal().assertCompleted();
    }
}
