package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.governor.Target;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.run.Eventually;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Somebody deletes a run, an execution, or a whole namespace of executions. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class DeletionsTest {

    private final Scenario scenario;

    DeletionsTest(Scenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void aRunThatSomebodyDeletesCountsAsHavingRun() {
        Asked asked = scenario.tekton("wait").go();
        scenario.pod(asked, "Running");

        asked.runIsGone();
        scenario.admin().resource(asked.run()).delete();

        Seen ended = asked.ended().failedDuring("PipelineRunDeleted");
        assertThat(ended.at("failureDetails.message")).contains("no longer exists");
        assertThat(ended.at("failureDetails.naturalLanguageSummary")).contains("deleted from outside");
        Seen entry = scenario.entry(asked.target(), "Blocked");
        assertThat(entry.all("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.at("block.reason")).isEqualTo("PipelineRunDeleted"));
        Asked next = scenario.tekton("succeed").go();
        next.ended().skipped("PreviousExecutionFailed");
    }

    @Test
    void anExecutionThatIsDeletedWhileItRunsIsStoppedAndItsTargetIsFreed() {
        Asked asked = scenario.tekton("hang").go();
        scenario.pod(asked, "Running");

        asked.delete();

        isCleanedUp(asked);
    }

    @Test
    void aJobIsStoppedAsWellWhenItsExecutionIsDeleted() {
        Asked asked = scenario.job("hang").go();
        scenario.pod(asked, "Running");

        asked.delete();

        isCleanedUp(asked);
    }

    @Test
    void theExecutionsOfANamespaceThatIsDeletedAreStoppedAndTheirTargetsFreed() {
        String namespace = scenario.cluster().freshNamespace("doomed");
        Asked asked = scenario.tekton("hang").in(namespace).go();
        scenario.pod(asked, "Running");

        asked.isGone();
        scenario.admin().namespaces().withName(namespace).delete();

        isCleanedUp(asked);
        Eventually.holds(
                "the namespace is gone",
                () -> scenario.admin().namespaces().withName(namespace).get() == null);
    }

    /** It is there, and it is meant to be gone. */
    @Test
    void anExecutionThatSomebodysFinalizerKeepsIsStoppedAndItsTargetIsFreed() {
        Asked asked = scenario.tekton("hang").go();
        asked.keep();
        scenario.pod(asked, "Running");

        asked.delete();

        Seen ended = asked.ended().failedDuring("Cancelled");
        assertThat(ended.at("failureDetails.message")).isEqualTo("cancelled by its deletion");
        assertThat(asked.run().<String>get("spec", "status")).isEqualTo("Cancelled");
        assertThat(scenario.entry(asked.target(), "Blocked").has("holder")).isFalse();
        asked.letGo();
        Eventually.holds("its run is gone", () -> asked.runs().isEmpty());
        isForgotten(asked);
    }

    @Test
    void oneThatIsKeptWhenTheOperatorStartsIsStoppedToo() {
        Asked asked = scenario.job("hang").go();
        asked.keep();
        scenario.pod(asked, "Running");

        scenario.withoutOperator(asked::delete);

        asked.ended().failedDuring("Cancelled");
        asked.letGo();
        Eventually.holds("its run is gone", () -> asked.runs().isEmpty());
    }

    @Test
    void whatIsMadeAgainUnderTheSameNameRunsAgain() {
        for (int round = 0; round < 20; round++) {
            Asked asked = scenario.job("succeed")
                    .named("again-and-again")
                    .on(scenario.otherTarget())
                    .go();
            asked.ended().completed();
            asked.delete();
        }
    }

    /** The entry itself goes a minute later, when clocks agree that it can. */
    private void isForgotten(Asked gone) {
        Eventually.holds(
                "nothing is remembered of " + gone.title(),
                () -> scenario.entry(gone.target())
                        .map(entry -> !entry.has("workflows"))
                        .orElse(true));
    }

    /** What ran and was not seen to end counts as having run; deleting its execution does not make that harmless. */
    private void isCleanedUp(Asked gone) {
        Seen entry = scenario.entry(gone.target(), "Blocked");
        assertThat(entry.has("holder")).isFalse();
        assertThat(entry.all("workflows")).singleElement().satisfies(workflow -> {
            assertThat(workflow.at("block.uid")).isEqualTo(gone.uid());
            assertThat(workflow.at("block.executionDeleted")).isEqualTo("true");
        });
        Eventually.holds(
                "the run of " + gone.title() + " is gone", () -> gone.runs().isEmpty());
        Eventually.holds("its pods are gone", () -> scenario.pods(gone).isEmpty());
        Asked next = scenario.tekton("succeed").go();
        assertThat(next.ended().skipped("PreviousExecutionFailed").at("skipDetails.message"))
                .contains(gone.title(), "until a person has looked and cleared it");
        assertThat(next.runs()).isEmpty();
    }

    @Test
    void anEntryThatIsDeletedWhileSomebodyHoldsItIsPutBack() {
        Asked asked = scenario.tekton("wait").go();
        scenario.pod(asked, "Running");
        Seen before = scenario.entry(asked.target(), "Held");

        deleteEntry(asked);

        Seen after = scenario.entry(asked.target(), "Held");
        assertThat(after.at("holder.uid")).isEqualTo(asked.uid());
        assertThat(after.at("epoch")).isEqualTo(before.at("epoch"));
        scenario.end(asked, "exit:1");
        asked.ended().failedDuring("TaskFailed");
        scenario.entry(asked.target(), "Blocked");
    }

    @Test
    void anEntryThatIsDeletedWhileNobodyWatchesIsTakenBackWhenTheRunEnds() {
        Asked asked = scenario.tekton("wait").go();
        scenario.pod(asked, "Running");
        scenario.entry(asked.target(), "Held");

        scenario.withoutOperator(() -> {
            deleteEntry(asked);
            scenario.end(asked, "exit:1");
        });

        asked.ended().failedDuring("TaskFailed");
        assertThat(scenario.entry(asked.target(), "Blocked").all("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.at("block.uid")).isEqualTo(asked.uid()));
    }

    /** As when whoever ended it did not see that it held the target. */
    @Test
    void anEntryThatIsHeldByWhatIsOverIsReleased() {
        Asked asked = scenario.tekton("wait").go();
        scenario.pod(asked, "Running");
        scenario.entry(asked.target(), "Held");
        RemediationTarget held = scenario.admin()
                .resources(RemediationTarget.class)
                .withName(Target.parse(asked.target()).objectName())
                .require();
        scenario.end(asked, "succeed");
        asked.ended().completed();
        scenario.entry(asked.target(), "Free");

        scenario.admin()
                .resources(RemediationTarget.class)
                .withName(held.getMetadata().getName())
                .edit(free -> {
                    free.setStatus(held.getStatus());
                    return free;
                });

        assertThat(scenario.entry(asked.target(), "Free").all("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.at("completed.uid")).isEqualTo(asked.uid()));
    }

    private void deleteEntry(Asked asked) {
        scenario.admin()
                .resources(RemediationTarget.class)
                .withName(Target.parse(asked.target()).objectName())
                .delete();
    }

    @Test
    void deletingAnExecutionThatFailedForgetsItsFailure() {
        Asked failed = scenario.tekton("exit:1").go();
        failed.ended().failedDuring("TaskFailed");
        scenario.entry(failed.target(), "Blocked");

        failed.delete();

        isForgotten(failed);
        Asked next = scenario.tekton("succeed").go();
        next.ended().completed();
    }
}
