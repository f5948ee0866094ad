package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.store.KubernetesPorts;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.UntypedTarget;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A ledger entry that a user deletes, or an administrator removes by force, does not lead to a second run. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class LostEntriesIT {

    private static final String TARGET_CRD = "remediationtargets.kubernaut.ai";
    private static final int ROUNDS = 4;

    private final OperatorScenario scenario;

    LostEntriesIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    private Resource<UntypedTarget> entry(String target) {
        return scenario.admin()
                .resources(UntypedTarget.class)
                .withName(Target.parse(target).objectName());
    }

    private CreatedExecution startOn(String target) {
        CreatedExecution execution =
                scenario.jobWorkflow("wait").onTarget(target).create();
        scenario.awaitPod(execution, "Running");
        return execution;
    }

    private void removeByForce(String target) {
        entry(target).delete();
        removeFinalizers(entry(target));
    }

    private static void removeFinalizers(Resource<UntypedTarget> entry) {
        ignoreMissing(() -> entry.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}"));
    }

    private static void ignoreMissing(Runnable request) {
        try {
            request.run();
        } catch (KubernetesClientException gone) {
            assertThat(gone.getCode()).isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
        }
    }

    private CreatedExecution requestOn(String target) {
        return scenario.tektonWorkflow("succeed").onTarget(target).create();
    }

    private static void assertBusy(CreatedExecution second) {
        second.awaitFinal().assertSkipped("ResourceBusy");
        // It may have a suspended run, which is removed after its status was written.
        ConditionPoller.await("it has no run", () -> second.runs().isEmpty());
    }

    private void assertHeldUntilItEnds(CreatedExecution first) {
        assertThat(scenario.entry(first.target(), "Held").text("holder.uid")).isEqualTo(first.uid());
        scenario.endPod(first, "succeed");
        first.awaitFinal().assertCompleted();
    }

    @Test
    void deletedEntryStaysUntilItsHolderHasFinished() {
        String target = scenario.newTarget();
        CreatedExecution first = startOn(target);

        entry(target).delete();

        UntypedTarget kept = entry(target).require();
        assertThat(kept.isMarkedForDeletion()).isTrue();
        assertThat(kept.getMetadata().getFinalizers()).containsExactly(RemediationTargetResource.FINALIZER);
        assertBusy(requestOn(target));
        assertHeldUntilItEnds(first);
        ConditionPoller.await("the entry is gone", () -> entry(target).get() == null);
        requestOn(target).awaitFinal().assertCompleted();
    }

    /** Deleting an entry is no clearance: nobody is named who has looked at the target. */
    @Test
    void deletedEntryOfBlockedTargetStaysUntilItIsCleared() {
        String target = scenario.newTarget();
        scenario.jobWorkflow("exit:1").onTarget(target).create().awaitFinal().assertFailedDuringRun("TaskFailed");
        scenario.entry(target, "Blocked");

        entry(target).delete();

        requestOn(target).awaitFinal().assertSkipped("PreviousExecutionFailed");
        Clearance clearance = new Clearance("alice", "looked at it", Instant.now());
        assertThat(scenario.executionService().clear(Target.parse(target), clearance))
                .isPresent();
        ConditionPoller.await("the entry is gone", () -> entry(target).get() == null);
        requestOn(target).awaitFinal().assertCompleted();
    }

    @Test
    void requestRightAfterForcedRemovalFindsTargetBusy() {
        for (int round = 0; round < ROUNDS; round++) {
            String target = scenario.newTarget();
            CreatedExecution first = startOn(target);

            removeByForce(target);
            CreatedExecution second = requestOn(target);

            assertBusy(second);
            assertHeldUntilItEnds(first);
        }
    }

    @Test
    void requestAfterForcedRemovalWithoutOperatorFindsTargetBusy() {
        String target = scenario.newTarget();
        CreatedExecution first = startOn(target);
        CreatedExecution[] second = new CreatedExecution[1];

        scenario.runWithoutOperator(() -> {
            removeByForce(target);
            second[0] = requestOn(target);
        });

        assertBusy(second[0]);
        assertHeldUntilItEnds(first);
    }

    @Test
    void definitionOfEntriesCanBeDeletedAndInstalledAgain() {
        String target = scenario.newTarget();
        CreatedExecution first = startOn(target);
        scenario.entry(target, "Held");
        var definition = scenario.admin()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(TARGET_CRD);

        definition.delete();
        ConditionPoller.await(
                "the definition is being deleted",
                () -> definition.get() != null && definition.get().isMarkedForDeletion());
        assertThat(entry(target).get())
                .describedAs("the finalizer keeps the entry")
                .isNotNull();
        ConditionPoller.await("the definition is gone", () -> {
            ignoreMissing(() -> scenario.admin()
                    .resources(UntypedTarget.class)
                    .list()
                    .getItems()
                    .forEach(held -> removeFinalizers(scenario.admin().resource(held))));
            return definition.get() == null;
        });
        KubernetesPorts.installCrds(scenario.admin());
        CreatedExecution second = requestOn(target);

        assertBusy(second);
        assertHeldUntilItEnds(first);
    }

    /** Nothing but the label of the run shows that it belongs to the deleted execution. */
    @Test
    void deletionStopsRunWithoutEntry() {
        String target = scenario.newTarget();
        CreatedExecution first = startOn(target);

        scenario.runWithoutOperator(() -> {
            removeByForce(target);
            first.delete();
        });

        ConditionPoller.await("its run is gone", () -> first.runs().isEmpty());
        assertThat(scenario.entry(target, "Blocked").items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.uid")).isEqualTo(first.uid()));
    }
}
