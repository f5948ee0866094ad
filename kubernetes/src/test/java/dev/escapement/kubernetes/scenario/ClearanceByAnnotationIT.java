package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.ApiGroup;
import dev.escapement.governor.Target;
import dev.escapement.kubernetes.resource.NamespacedKubectl;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.UntypedTarget;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** People clear targets and cancel executions with {@code kubectl}, in their own names only. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class ClearanceByAnnotationIT {

    private static final String ANNA = "anna@example.org";
    private static final String REASON = "kubernaut.ai/clear=checked the disk";

    private final OperatorScenario scenario;
    private final List<HasMetadata> installed = new ArrayList<>();

    @TempDir
    Path folder = Path.of("");

    ClearanceByAnnotationIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    /** Other tests share the cluster and cancel in any name, so the policies are removed afterwards. */
    @BeforeEach
    void applyPolicies() {
        KubernetesClient admin = scenario.admin();
        installed.addAll(InstalledCluster.load(admin, "admission.yaml"));
        for (String role : List.of("escapement-clear", "escapement-edit", "escapement-view")) {
            installed.add(new ClusterRoleBindingBuilder()
                    .withNewMetadata()
                    .withName("anna-" + role)
                    .endMetadata()
                    .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                    .withSubjects(new Subject("rbac.authorization.k8s.io", "User", ANNA, null))
                    .build());
        }
        installed.forEach(object -> admin.resource(object).forceConflicts().serverSideApply());
        CreatedExecution probe =
                scenario.jobWorkflow("exit:3").onTarget(scenario.newTarget()).create();
        scenario.entry(probe.target(), "Blocked");
        ConditionPoller.await(
                "the policies and the permissions are in effect",
                () -> annotate(probe.target(), ANNA, REASON, "kubernaut.ai/cleared-by=bob")
                                .contains("but you are")
                        && kubectl("annotate", "wfe", probe.name(), "kubernaut.ai/cancelled-by=bob", "--as=" + ANNA)
                                .contains("but you are"));
    }

    @AfterEach
    void removePolicies() {
        installed.forEach(object -> scenario.admin().resource(object).delete());
    }

    @Test
    void clearsInOwnNameOnceAndLeavesNoRequest() {
        CreatedExecution failed = scenario.jobWorkflow("exit:3").create();
        scenario.entry(failed.target(), "Blocked");
        List<UntypedTarget> versions = new CopyOnWriteArrayList<>();
        try (var watch = scenario.admin()
                .resources(UntypedTarget.class)
                .withName(objectName(failed.target()))
                .watch(new Recorder(versions))) {
            assertThat(watch).isNotNull();
            assertThat(annotate(failed.target(), ANNA, REASON, "kubernaut.ai/cleared-by=" + ANNA))
                    .contains("annotated");
            ConditionPoller.await(
                    "cleared",
                    () -> scenario.entry(failed.target())
                            .filter(entry -> entry.contains("clearance"))
                            .isPresent());
            ConditionPoller.await(
                    "the watch has it", () -> versions.stream().anyMatch(ClearanceByAnnotationIT::isCleared));
        }

        StatusView entry = scenario.entry(failed.target()).orElseThrow();
        assertThat(entry.text("clearance.clearedBy")).isEqualTo(ANNA);
        assertThat(entry.text("clearance.clearReason")).isEqualTo("checked the disk");
        assertThat(failed.status().text("blockClearance.clearedBy")).isEqualTo(ANNA);
        assertThat(versions)
                .describedAs("one write records the clearance and removes the request")
                .noneMatch(seen -> isCleared(seen) && hasRequest(seen));
        ConditionPoller.await(
                "the Event",
                () -> scenario.targetEvents(failed.target()).stream()
                        .anyMatch(event -> event.getReason().equals("BlockCleared")
                                && event.getMessage().contains(ANNA)));
        scenario.jobWorkflow("succeed").create().awaitFinal().assertCompleted();
    }

    @Test
    void clearsAfterRestartButNotALaterBlock() {
        CreatedExecution failed = scenario.jobWorkflow("exit:3").create();
        scenario.entry(failed.target(), "Blocked");

        scenario.runWithoutOperator(
                () -> assertThat(annotate(failed.target(), ANNA, REASON, "kubernaut.ai/cleared-by=" + ANNA))
                        .contains("annotated"));

        ConditionPoller.await("cleared", () -> failed.status().contains("blockClearance"));
        Instant clearedAt = failed.status().time("blockClearance.clearedAt");
        CreatedExecution second = scenario.jobWorkflow("exit:3").create();
        second.awaitFinal().assertFailedDuringRun("TaskFailed");
        scenario.entry(failed.target(), "Blocked");
        scenario.runWithoutOperator(() -> {});
        scenario.jobWorkflow("succeed").create().awaitFinal().assertSkipped("PreviousExecutionFailed");
        assertThat(second.status().contains("blockClearance")).isFalse();
        assertThat(failed.status().time("blockClearance.clearedAt")).isEqualTo(clearedAt);
    }

    @Test
    void requestWithNothingToClearDoesNotClearTheNextFailure() {
        CreatedExecution running = scenario.jobWorkflow("wait").create();
        scenario.awaitPod(running, "Running");

        assertThat(annotate(running.target(), ANNA, REASON, "kubernaut.ai/cleared-by=" + ANNA))
                .contains("annotated");
        ConditionPoller.await("the request is removed", () -> !hasRequest(stored(running.target())));
        ConditionPoller.await(
                "the answer",
                () -> scenario.targetEvents(running.target()).stream()
                        .map(Event::getMessage)
                        .anyMatch(message -> message.contains("nothing to clear")));
        scenario.endPod(running, "exit:3");

        running.awaitFinal();
        scenario.entry(running.target(), "Blocked");
        scenario.jobWorkflow("succeed").create().awaitFinal().assertSkipped("PreviousExecutionFailed");
    }

    @Test
    void apiServerRefusesOtherNamesAndOtherChanges() {
        CreatedExecution failed = scenario.jobWorkflow("exit:3").create();
        scenario.entry(failed.target(), "Blocked");
        String name = objectName(failed.target());

        assertThat(annotate(failed.target(), ANNA, REASON, "kubernaut.ai/cleared-by=bob"))
                .contains("kubernaut.ai/cleared-by is \"bob\", but you are \"" + ANNA + "\"");
        assertThat(annotate(failed.target(), ANNA, REASON)).contains("but you are");
        assertThat(kubectl("annotate", "rt", name, REASON, "kubernaut.ai/cleared-by=bob"))
                .describedAs("an administrator has no other name either")
                .contains("but you are");
        assertThat(kubectl(
                        "patch", "rt", name, "--type=merge", "-p", "{\"status\":{\"workflows\":[]}}", "--as=" + ANNA))
                .contains("only annotations may be changed here");
        assertThat(annotate(failed.target(), "carl", REASON, "kubernaut.ai/cleared-by=carl"))
                .describedAs("without the role")
                .contains("cannot");
        assertThat(scenario.entry(failed.target()).orElseThrow().text("state")).isEqualTo("Blocked");
        assertThat(kubectl("annotate", "rt", name, "team=blue", "--as=" + ANNA)).contains("annotated");
    }

    @Test
    void cancelsInOwnNameOnly() {
        CreatedExecution execution = scenario.jobWorkflow("hang").create();
        scenario.awaitPod(execution, "Running");

        assertThat(cancel(execution, "bob")).contains("kubernaut.ai/cancelled-by is \"bob\", but you are");
        assertThat(execution.status().isFinal()).isFalse();
        assertThat(cancel(execution, ANNA)).contains("annotated");

        assertThat(execution.awaitFinal().assertFailedDuringRun("Cancelled").text("failureDetails.message"))
                .contains(ANNA);
    }

    /** The REST API has verified the name, and the operator writes it. */
    @Test
    void operatorCancelsOnBehalfOfItsCallers() {
        CreatedExecution execution = scenario.jobWorkflow("hang").create();
        scenario.awaitPod(execution, "Running");
        scenario.executionService().cancel(execution.namespace(), execution.name(), "carol", Instant.now());
        assertThat(execution.awaitFinal().assertFailedDuringRun("Cancelled").text("failureDetails.message"))
                .contains("carol");
    }

    private String cancel(CreatedExecution execution, String name) {
        return kubectl("annotate", "wfe", execution.name(), "kubernaut.ai/cancelled-by=" + name, "--as=" + ANNA);
    }

    private String annotate(String target, String user, String... annotations) {
        List<String> arguments = new ArrayList<>(List.of("annotate", "rt", objectName(target), "--as=" + user));
        arguments.addAll(List.of(annotations));
        return kubectl(arguments.toArray(String[]::new));
    }

    private String kubectl(String... arguments) {
        try {
            return new NamespacedKubectl(scenario.cluster().cluster().kubeconfig(), scenario.namespace(), folder)
                    .run(arguments);
        } catch (java.io.IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    private UntypedTarget stored(String target) {
        return scenario.admin()
                .resources(UntypedTarget.class)
                .withName(objectName(target))
                .require();
    }

    private static boolean isCleared(UntypedTarget entry) {
        return entry.getStatus().containsKey("clearance");
    }

    private static boolean hasRequest(UntypedTarget entry) {
        Map<String, String> annotations =
                Optional.ofNullable(entry.getMetadata().getAnnotations()).orElse(Map.of());
        return annotations.containsKey(ApiGroup.CLEAR) || annotations.containsKey(ApiGroup.CLEARED_BY);
    }

    private static String objectName(String target) {
        return Target.parse(target).objectName();
    }

    private record Recorder(List<UntypedTarget> versions) implements Watcher<UntypedTarget> {
        @Override
        public void eventReceived(Action action, UntypedTarget entry) {
            versions.add(entry);
        }

        @Override
        public void onClose(WatcherException cause) {}
    }
}
