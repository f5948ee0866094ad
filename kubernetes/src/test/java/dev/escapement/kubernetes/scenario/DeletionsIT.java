package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Target;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.run.ClusterAwait;
import dev.escapement.testkit.cluster.ClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Somebody deletes a run, an execution, or a whole namespace of executions. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class DeletionsIT {

    private final OperatorScenario scenario;

    DeletionsIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void deletedRunCountsAsExecutionFailure() {
        CreatedExecution asked = scenario.tektonWorkflow("wait").create();
        scenario.awaitPod(asked, "Running");

        asked.markRunDeleted();
        scenario.admin().resource(asked.onlyRun()).delete();

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("PipelineRunDeleted");
        assertThat(ended.text("failureDetails.message")).contains("no longer exists");
        assertThat(ended.text("failureDetails.naturalLanguageSummary")).contains("deleted from outside");
        StatusView entry = scenario.entry(asked.target(), "Blocked");
        assertThat(entry.items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.reason")).isEqualTo("PipelineRunDeleted"));
        CreatedExecution next = scenario.tektonWorkflow("succeed").create();
        next.awaitFinal().assertSkipped("PreviousExecutionFailed");
    }

    @Test
    void deletingRunningExecutionStopsRunAndReleasesTarget() {
        CreatedExecution asked = scenario.tektonWorkflow("hang").create();
        scenario.awaitPod(asked, "Running");

        asked.delete();

        assertCleanedUp(asked);
    }

    @Test
    void deletingExecutionStopsJob() {
        CreatedExecution asked = scenario.jobWorkflow("hang").create();
        scenario.awaitPod(asked, "Running");

        asked.delete();

        assertCleanedUp(asked);
    }

    @Test
    void deletingNamespaceStopsRunsAndReleasesTargets() {
        String namespace = scenario.cluster().createNamespace("doomed");
        CreatedExecution asked =
                scenario.tektonWorkflow("hang").inNamespace(namespace).create();
        scenario.awaitPod(asked, "Running");

        asked.markDeleted();
        scenario.admin().namespaces().withName(namespace).delete();

        assertCleanedUp(asked);
        ClusterAwait.untilTrue(
                "the namespace is gone",
                () -> scenario.admin().namespaces().withName(namespace).get() == null);
    }

    /** It is there, and it is meant to be gone. */
    @Test
    void stopsTerminatingExecutionAndReleasesTarget() {
        CreatedExecution asked = scenario.tektonWorkflow("hang").create();
        asked.addFinalizer();
        scenario.awaitPod(asked, "Running");

        asked.delete();

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("Cancelled");
        assertThat(ended.text("failureDetails.message")).isEqualTo("cancelled by its deletion");
        assertThat(asked.onlyRun().<String>get("spec", "status")).isEqualTo("Cancelled");
        assertThat(scenario.entry(asked.target(), "Blocked").contains("holder")).isFalse();
        asked.removeFinalizer();
        ClusterAwait.untilTrue("its run is gone", () -> asked.runs().isEmpty());
        assertForgotten(asked);
    }

    @Test
    void stopsTerminatingExecutionFoundAtStartup() {
        CreatedExecution asked = scenario.jobWorkflow("hang").create();
        asked.addFinalizer();
        scenario.awaitPod(asked, "Running");

        scenario.runWithoutOperator(asked::delete);

        asked.awaitFinal().assertFailedDuringRun("Cancelled");
        asked.removeFinalizer();
        ClusterAwait.untilTrue("its run is gone", () -> asked.runs().isEmpty());
    }

    @Test
    void runsExecutionRecreatedUnderSameName() {
        for (int round = 0; round < 20; round++) {
            CreatedExecution asked = scenario.jobWorkflow("succeed")
                    .withName("again-and-again")
                    .onTarget(scenario.newTarget())
                    .create();
            asked.awaitFinal().assertCompleted();
            asked.delete();
        }
    }

    /** The entry itself goes a minute later, when clocks agree that it can. */
    private void assertForgotten(CreatedExecution gone) {
        ClusterAwait.untilTrue(
                "nothing is remembered of " + gone.qualifiedName(),
                () -> scenario.entry(gone.target())
                        .map(entry -> !entry.contains("workflows"))
                        .orElse(true));
    }

    /** What ran and was not seen to end counts as having run; deleting its execution does not make that harmless. */
    private void assertCleanedUp(CreatedExecution gone) {
        StatusView entry = scenario.entry(gone.target(), "Blocked");
        assertThat(entry.contains("holder")).isFalse();
        assertThat(entry.items("workflows")).singleElement().satisfies(workflow -> {
            assertThat(workflow.text("block.uid")).isEqualTo(gone.uid());
            assertThat(workflow.text("block.executionDeleted")).isEqualTo("true");
        });
        ClusterAwait.untilTrue(
                "the run of " + gone.qualifiedName() + " is gone",
                () -> gone.runs().isEmpty());
        ClusterAwait.untilTrue("its pods are gone", () -> scenario.pods(gone).isEmpty());
        CreatedExecution next = scenario.tektonWorkflow("succeed").create();
        assertThat(next.awaitFinal().assertSkipped("PreviousExecutionFailed").text("skipDetails.message"))
                .contains(gone.qualifiedName(), "until a person has looked and cleared it");
        assertThat(next.runs()).isEmpty();
    }

    @Test
    void restoresDeletedEntryOfRunningHolder() {
        CreatedExecution asked = scenario.tektonWorkflow("wait").create();
        scenario.awaitPod(asked, "Running");
        StatusView before = scenario.entry(asked.target(), "Held");

        deleteEntry(asked);

        StatusView after = scenario.entry(asked.target(), "Held");
        assertThat(after.text("holder.uid")).isEqualTo(asked.uid());
        assertThat(after.text("epoch")).isEqualTo(before.text("epoch"));
        scenario.endPod(asked, "exit:1");
        asked.awaitFinal().assertFailedDuringRun("TaskFailed");
        scenario.entry(asked.target(), "Blocked");
    }

    @Test
    void restoresEntryDeletedWhileOperatorWasDown() {
        CreatedExecution asked = scenario.tektonWorkflow("wait").create();
        scenario.awaitPod(asked, "Running");
        scenario.entry(asked.target(), "Held");

        scenario.runWithoutOperator(() -> {
            deleteEntry(asked);
            scenario.endPod(asked, "exit:1");
        });

        asked.awaitFinal().assertFailedDuringRun("TaskFailed");
        assertThat(scenario.entry(asked.target(), "Blocked").items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.uid")).isEqualTo(asked.uid()));
    }

    /** As when whoever ended it did not see that it held the target. */
    @Test
    void releasesEntryHeldByFinishedExecution() {
        CreatedExecution asked = scenario.tektonWorkflow("wait").create();
        scenario.awaitPod(asked, "Running");
        scenario.entry(asked.target(), "Held");
        RemediationTarget held = scenario.admin()
                .resources(RemediationTarget.class)
                .withName(Target.parse(asked.target()).objectName())
                .require();
        scenario.endPod(asked, "succeed");
        asked.awaitFinal().assertCompleted();
        scenario.entry(asked.target(), "Free");

        scenario.admin()
                .resources(RemediationTarget.class)
                .withName(held.getMetadata().getName())
                .edit(free -> {
                    free.setStatus(held.getStatus());
                    return free;
                });

        assertThat(scenario.entry(asked.target(), "Free").items("workflows"))
                .singleElement()
                .satisfies(
                        workflow -> assertThat(workflow.text("completed.uid")).isEqualTo(asked.uid()));
    }

    private void deleteEntry(CreatedExecution asked) {
        scenario.admin()
                .resources(RemediationTarget.class)
                .withName(Target.parse(asked.target()).objectName())
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
