package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.ApiGroup;
import dev.escapement.governor.Target;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The operator on a real cluster, with the permissions of an installation. */
@ExtendWith(ClusterExtension.class)
class OperatorServerIT {

    private static final String SUCCEEDING_IMAGE = "simulated.local/succeed";
    private static final String HANGING_IMAGE = "simulated.local/hang";

    private final TestCluster cluster;
    private final OperatorHarness operator;
    private final String namespace;

    OperatorServerIT(TestCluster cluster, @TempDir Path folder) {
        this.cluster = cluster;
        this.operator = OperatorHarness.start(cluster, folder, Map.of());
        this.namespace = cluster.createNamespace("requests");
    }

    @AfterEach
    void stop() {
        // An operator does not start with an invalid policy.
        policyConfigMap().delete();
        operator.close();
    }

    private io.fabric8.kubernetes.client.dsl.Resource<io.fabric8.kubernetes.api.model.ConfigMap> policyConfigMap() {
        return cluster.admin()
                .configMaps()
                .inNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                .withName(PolicyConfigMap.NAME);
    }

    /** Returns a target that no other test uses. */
    private String target(String name) {
        return namespace + "/deployment/" + name;
    }

    private static String objectName(String target) {
        return Target.parse(target).objectName();
    }

    private List<String> eventReasons(String execution) {
        return cluster.admin().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getInvolvedObject().getName().equals(execution))
                .filter(event -> "escapement".equals(event.getReportingComponent()))
                .sorted(Comparator.comparingLong(
                        (Event event) -> Long.parseLong(event.getMetadata().getResourceVersion())))
                .map(Event::getReason)
                .toList();
    }

    @Test
    void completesExecutionAndPublishesEachEventOnce() {
        operator.createExecution(namespace, "good", target("good"), SUCCEEDING_IMAGE);
        UntypedExecution done = operator.await(namespace, "good", "Completed");
        assertThat(done.getStatus()).containsEntry("outcome", "Success").containsKey("pipelineRunRef");
        operator.await(
                operator.target(objectName(target("good"))),
                entry -> !entry.getStatus().containsKey("holder"));
        ConditionPoller.await("all is told", () -> eventReasons("good").size() >= 4);
        assertThat(eventReasons("good"))
                .containsExactly("WorkflowAccepted", "PipelineRunCreated", "WorkflowCompleted", "LockReleased");
    }

    @Test
    void skipsSecondExecutionWhileFirstRuns() {
        operator.createExecution(namespace, "first", target("busy"), HANGING_IMAGE);
        operator.await(namespace, "first", "Running");
        operator.createExecution(namespace, "second", target("busy"), SUCCEEDING_IMAGE);
        UntypedExecution skipped = operator.await(namespace, "second", "Skipped");
        assertThat(String.valueOf(skipped.getStatus().get("skipDetails"))).contains("ResourceBusy");
    }

    @Test
    void cancelledExecutionFails() {
        operator.createExecution(namespace, "stopped", target("stopped"), HANGING_IMAGE);
        operator.await(namespace, "stopped", "Running");
        operator.execution(namespace, "stopped").edit(found -> {
            found.getMetadata().setAnnotations(Map.of(ApiGroup.CANCELLED_BY, "anna"));
            return found;
        });
        UntypedExecution failed = operator.await(namespace, "stopped", "Failed");
        assertThat(String.valueOf(failed.getStatus().get("failureDetails"))).contains("Cancelled");
    }

    @Test
    void deletingRunningExecutionReleasesTarget() {
        operator.createExecution(namespace, "gone", target("gone"), HANGING_IMAGE);
        operator.await(namespace, "gone", "Running");
        operator.execution(namespace, "gone").delete();
        operator.await(
                operator.target(objectName(target("gone"))),
                entry -> !entry.getStatus().containsKey("holder"));
        ConditionPoller.await(
                "its run is forgotten", () -> runsOnTarget(target("gone")).isEmpty());
    }

    private List<? extends HasMetadata> runsOnTarget(String target) {
        return cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(OperatorHarness.RUNS_NAMESPACE)
                .withLabel("kubernaut.ai/target", objectName(target))
                .list()
                .getItems();
    }

    @Test
    void appliesConfigMapAtOnceAndRejectsInvalidOne() {
        policyConfigMap(Map.of("cooldown-period", "0s"));
        ConditionPoller.await(
                "it acts", () -> operator.get("/api/v1/policy").body().contains("\"cooldown-period\":\"0s\""));
        policyConfigMap(Map.of("cooldown-period", "soon"));
        ConditionPoller.await(
                "it is refused", () -> operator.get("/api/v1/policy").body().contains("lastRefused"));
        assertThat(operator.get("/api/v1/policy").body()).contains("\"cooldown-period\":\"0s\"", "soon");
        ConditionPoller.await(
                "somebody is told",
                () ->
                        cluster
                                .admin()
                                .v1()
                                .events()
                                .inNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                                .list()
                                .getItems()
                                .stream()
                                .anyMatch(event -> event.getReason().equals("PolicyRefused")));
    }

    private void policyConfigMap(Map<String, String> data) {
        cluster.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                        .withName(PolicyConfigMap.NAME)
                        .endMetadata()
                        .withData(data)
                        .build())
                .serverSideApply();
    }

    /** What happened before the start is no news: it is neither counted nor logged. */
    @Test
    void startsCountingAtZero(@TempDir Path other) {
        operator.createExecution(namespace, "past", target("past"), "simulated.local/exit:3");
        operator.await(namespace, "past", "Failed");
        ConditionPoller.await("all is published", () -> eventReasons("past").contains("LockReleased"));
        try (OperatorHarness restarted = OperatorHarness.start(cluster, other, Map.of())) {
            restarted.createExecution(namespace, "news", target("news"), "simulated.local/succeed");
            ConditionPoller.await("the new success is counted", () -> count(restarted, "Completed") > 0);
            assertThat(count(restarted, "Failed")).isZero();
        }
    }

    private static double count(OperatorHarness of, String outcome) {
        return of.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("workflowexecution_total{outcome=\"" + outcome + "\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Test
    void restApiCreatesExplainsAndClears() {
        String broken = target("broken");
        HttpResponse<String> created =
                operator.post("/api/v1/executions?namespace=" + namespace, """
                {"apiVersion": "kubernaut.ai/v1alpha1", "kind": "WorkflowExecution", "metadata": {"name": "broken"},
                 "spec": {"workflowRef": {"workflowId": "repair", "containerImage": "simulated.local/exit:3"},
                          "targetResource": "%s", "executionConfig": {"engine": "job", "timeout": "5m"}}}
                """.formatted(broken));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        UntypedExecution failed = operator.await(namespace, "broken", "Failed");
        assertThat(created.body()).contains(failed.getMetadata().getUid());
        String question = "/api/v1/targets/explain?workflow=repair&target=" + broken;
        ConditionPoller.await("it blocks", () -> operator.get(question).body().contains("PreviousExecutionFailed"));
        HttpResponse<String> cleared = operator.post(
                "/api/v1/targets/clear",
                "{\"target\": \"%s\", \"by\": \"anna\", \"reason\": \"looked\"}".formatted(broken));
        assertThat(cleared.statusCode()).as(cleared.body()).isEqualTo(200);
        assertThat(operator.get(question).body()).contains("\"admitted\":true");
        assertThat(operator.get("/api/v1/executions/broken?namespace=" + namespace)
                        .body())
                .contains("blockClearance");
    }

    @Test
    void returnsClientErrorWhenApiServerRejectsRequest() {
        HttpResponse<String> refused = operator.post("/api/v1/executions?namespace=nowhere", """
                {"apiVersion": "kubernaut.ai/v1alpha1", "kind": "WorkflowExecution", "metadata": {"name": "lost"},
                 "spec": {"workflowRef": {"workflowId": "repair", "containerImage": "simulated.local/succeed"},
                          "targetResource": "node/lost"}}
                """);
        assertThat(refused.statusCode()).isEqualTo(404);
        assertThat(refused.body()).contains("namespaces", "nowhere");
        assertThat(operator.get("/api/v1/endpoints").statusCode()).isEqualTo(501);
        assertThat(operator.get("/health/live").statusCode()).isEqualTo(200);
        assertThat(operator.get("/health/ready").statusCode()).isEqualTo(200);
    }
}
