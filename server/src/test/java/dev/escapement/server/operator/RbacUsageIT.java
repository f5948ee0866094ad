package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.governor.Target;
import dev.escapement.kubernetes.controller.LeaderElection;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TektonBundle;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Compares {@code rbac.yaml} with the requests of the operator in the audit log of the API server. */
@ExtendWith(ClusterExtension.class)
class RbacUsageIT {

    private static final Path RBAC = Path.of("..", "deploy", "kubernetes", "rbac.yaml");
    private static final Set<String> ROLES = Set.of("escapement-operator", "escapement-api", "escapement-runs");
    private static final String ACCOUNT = "system:serviceaccount:kubernaut-system:escapement";
    private static final int FORBIDDEN = 403;

    /** Permissions that this test does not use, with the reason why they are granted. */
    private static final Map<String, String> RARELY_USED = Map.of(
            "get pods", "a pod of a failed task that the watch has not told of",
            "get kubernaut.ai/notificationrequests", "after a write to one that another writer has changed",
            "update kubernaut.ai/notificationrequests", "more for a summary, during a storm",
            "delete kubernaut.ai/notificationrequests", "after notifications.keep-for",
            "create configmaps", "at the first start of all",
            "update configmaps", "once a minute");

    private static final String PIPELINE = """
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata:
              name: workflow
            spec:
              params:
              - name: TARGET_RESOURCE
              tasks:
              - name: repair
                taskSpec:
                  steps:
                  - name: act
                    image: simulated.local/succeed
                    command: ["/bin/repair"]
            """;

    private final TestCluster cluster;
    private final String namespace;
    private final int firstLine;

    RbacUsageIT(TestCluster cluster) throws IOException {
        this.cluster = cluster.installTekton();
        this.namespace = cluster.createNamespace("rights");
        this.firstLine = Files.readAllLines(cluster.cluster().auditLog()).size();
    }

    /** Two engines, one after the other, on a busy machine. */
    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void usesExactlyTheGrantedRights(@TempDir Path folder) throws IOException {
        cluster.admin()
                .leases()
                .inNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                .withName(LeaderElection.LEASE_NAME)
                .delete();
        try (OperatorHarness operator = OperatorHarness.start(cluster, folder, Map.of("leader-election", "on"))) {
            exerciseOperator(operator);
        }
        Set<String> granted = grantedRights();
        // A watch is in the audit log when it ends.
        Supplier<Set<String>> unused = () -> difference(granted, usedRights());
        ConditionPoller.await(
                "all that is given is used", () -> difference(unused.get(), RARELY_USED.keySet()), Set::isEmpty);
        assertThat(RARELY_USED.keySet())
                .as("listed as rarely used, but not granted")
                .isSubsetOf(granted);
        assertThat(difference(usedRights(), granted))
                .as("used, but not granted")
                .isEmpty();
        assertThat(auditedCalls()
                        .filter(call -> call.path("responseStatus").path("code").asInt() == FORBIDDEN))
                .as("refused")
                .isEmpty();
    }

    /** Executions of both engines that succeed, fail, are cancelled and are deleted, through the operator. */
    private void exerciseOperator(OperatorHarness operator) {
        String bundle = cluster.registry()
                .add("workflows/rights", "v1", TektonBundle.of("workflow", "pipeline", "tekton.dev/v1", PIPELINE));
        for (String engine : List.of("job", "tekton")) {
            String image = engine.equals("job") ? "simulated.local/" : bundle;
            createExecution(operator, engine + "-good", engine, engine.equals("job") ? image + "succeed" : image);
            operator.await(namespace, engine + "-good", "Completed");
            deleteExecution(operator, engine + "-good");
        }
        createExecution(operator, "stopped", "job", "simulated.local/hang");
        operator.await(namespace, "stopped", "Running");
        String held = Target.parse(target("stopped")).objectName();
        assertThat(operator.get("/api/v1/targets/" + held).statusCode()).isEqualTo(200);
        assertThat(operator.post(path("stopped") + "/cancel?namespace=" + namespace, "{\"by\": \"anna\"}")
                        .statusCode())
                .isEqualTo(200);
        operator.await(namespace, "stopped", "Failed");
        String target = Target.parse(target("job-good")).objectName();
        ConditionPoller.await(
                "its entry is forgotten", () -> operator.target(target).get() == null);
    }

    private String target(String name) {
        return namespace + "/deployment/" + name;
    }

    private static String path(String name) {
        return "/api/v1/executions/" + name;
    }

    private void createExecution(OperatorHarness operator, String name, String engine, String image) {
        var created = operator.post(
                "/api/v1/executions?namespace=" + namespace, """
                {"apiVersion": "kubernaut.ai/v1alpha1", "kind": "WorkflowExecution", "metadata": {"name": "%s"},
                 "spec": {"workflowRef": {"workflowId": "repair", "containerImage": "%s"},
                          "targetResource": "%s", "executionConfig": {"engine": "%s", "timeout": "5m"}}}
                """.formatted(name, image, target(name), engine));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    private void deleteExecution(OperatorHarness operator, String name) {
        assertThat(operator.delete(path(name) + "?namespace=" + namespace).statusCode())
                .isEqualTo(200);
    }

    private Set<String> grantedRights() throws IOException {
        return cluster.admin().load(Files.newInputStream(RBAC)).items().stream()
                .filter(object -> ROLES.contains(object.getMetadata().getName()))
                .flatMap(object -> object instanceof ClusterRole role
                        ? role.getRules().stream()
                        : object instanceof Role local ? local.getRules().stream() : Stream.empty())
                .flatMap(AccessRight::of)
                .map(AccessRight::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> usedRights() {
        // Discovery and self-access reviews are allowed for every account; the client uses them before leader election.
        return auditedCalls()
                .filter(call ->
                        !call.path("objectRef").path("resource").asText().isEmpty())
                .filter(call ->
                        !call.path("objectRef").path("apiGroup").asText().equals("authorization.k8s.io"))
                .map(AccessRight::of)
                .map(AccessRight::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Stream<JsonNode> auditedCalls() {
        try {
            JsonMapper json = new JsonMapper();
            List<JsonNode> calls = new ArrayList<>();
            List<String> lines = Files.readAllLines(cluster.cluster().auditLog());
            for (String line : lines.subList(firstLine, lines.size())) {
                if (line.contains(ACCOUNT) && line.endsWith("}")) {
                    calls.add(json.readTree(line));
                }
            }
            return calls.stream()
                    .filter(call -> call.path("user").path("username").asText().equals(ACCOUNT));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Set<String> difference(Set<String> all, Set<String> some) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }
}
