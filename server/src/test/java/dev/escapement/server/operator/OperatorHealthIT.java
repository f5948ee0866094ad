package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.server.StartException;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Health checks of an operator while its cluster has faults, on a cluster of its own. */
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorHealthIT {

    private static final String INSTALL_COMMAND = "kubectl apply -f deploy/kubernetes/crds";
    private static final Duration UNREADY_TIMEOUT = Duration.ofSeconds(20);
    private static final List<String> RESOURCES =
            List.of("workflowexecutions.kubernaut.ai", "remediationtargets.kubernaut.ai");

    private final Path folder;
    private TestCluster cluster;

    OperatorHealthIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeAll
    void start() {
        cluster = TestCluster.startSeparate();
    }

    @AfterAll
    void stop() {
        cluster.cluster().close();
    }

    private OperatorHarness startOperator() {
        OperatorHarness operator = OperatorHarness.start(cluster, folder, Map.of());
        ConditionPoller.await("it is ready", () -> operator.get("/health/ready"), answer -> answer.statusCode() == 200);
        return operator;
    }

    private void uninstall(String resource) {
        cluster.admin()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(resource)
                .delete();
        ConditionPoller.await(
                resource + " is gone",
                // The API group is removed with its last resource, so it is read only once.
                () -> Stream.ofNullable(cluster.admin().getApiResources("kubernaut.ai/v1alpha1"))
                        .flatMap(known -> known.getResources().stream())
                        .noneMatch(known -> resource.startsWith(known.getName() + ".")));
    }

    private static HttpResponse<String> awaitUnready(OperatorHarness operator) {
        long begin = System.nanoTime();
        HttpResponse<String> unready = ConditionPoller.await(
                "it is not ready", () -> operator.get("/health/ready"), answer -> answer.statusCode() == 503);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(UNREADY_TIMEOUT);
        HttpResponse<String> live = operator.get("/health/live");
        assertThat(live.statusCode())
                .as("a restart would not help: " + live.body())
                .isEqualTo(200);
        return unready;
    }

    private void assertWorksAgain(OperatorHarness operator) {
        ConditionPoller.await(
                "it is ready again", () -> operator.get("/health/ready"), answer -> answer.statusCode() == 200);
        assertThat(operator.get("/health/live").statusCode()).isEqualTo(200);
        String namespace = cluster.createNamespace("again");
        operator.createExecution(namespace, "again", namespace + "/deployment/a", "simulated.local/succeed");
        operator.await(namespace, "again", "Completed");
    }

    @Test
    void refusesToStartWithoutCustomResources() {
        OperatorHarness.install(cluster);
        uninstall(RESOURCES.get(1));
        assertThatThrownBy(() -> OperatorServer.start(OperatorHarness.settings(cluster, folder, Map.of())))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("does not know RemediationTarget (")
                .hasMessageContaining(INSTALL_COMMAND);
        uninstall(RESOURCES.get(0));
        assertThatThrownBy(() -> OperatorServer.start(OperatorHarness.settings(cluster, folder, Map.of())))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("does not know WorkflowExecution and RemediationTarget (")
                .hasMessageContaining(INSTALL_COMMAND);
    }

    /** With the default policy it would remove memory that the intended policy keeps. */
    @Test
    void refusesToStartWithInvalidPolicy() {
        OperatorHarness.install(cluster);
        Resource<ConfigMap> rules = cluster.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("kubernaut-system")
                        .withName("workflowexecution-config")
                        .endMetadata()
                        .withData(Map.of("cooldown-period", "soon"))
                        .build());
        rules.createOr(NonDeletingOperation::update);
        try {
            assertThatThrownBy(() -> OperatorServer.start(OperatorHarness.settings(cluster, folder, Map.of())))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("workflowexecution-config")
                    .hasMessageContaining("soon")
                    .hasMessageContaining("correct it");
        } finally {
            rules.delete();
        }
    }

    @Test
    void isUnreadyWhileResourcesAreMissingAndRecovers() {
        try (OperatorHarness operator = startOperator()) {
            RESOURCES.forEach(this::uninstall);
            assertThat(awaitUnready(operator).body())
                    .contains("does not know WorkflowExecution and RemediationTarget", INSTALL_COMMAND);
            OperatorHarness.install(cluster);
            assertWorksAgain(operator);
        }
    }

    @Test
    void isUnreadyButLiveWhileApiServerHangs() {
        try (OperatorHarness operator = startOperator()) {
            cluster.cluster().setApiServerFrozen(true);
            try {
                assertThat(awaitUnready(operator).body()).contains("the API server has not answered for");
            } finally {
                cluster.cluster().setApiServerFrozen(false);
            }
            assertWorksAgain(operator);
        }
    }

    @Test
    void isUnreadyButLiveWhileApiServerIsDown() {
        try (OperatorHarness operator = startOperator()) {
            cluster.cluster().stopApiServer();
            try {
                awaitUnready(operator);
                ConditionPoller.await(
                        "it says that nobody answers",
                        () -> operator.get("/health/ready").body(),
                        body -> body.contains("the API server does not answer ("));
                ConditionPoller.await(
                        "the watches are missed too",
                        () -> operator.get("/health/ready").body(),
                        body -> body.contains("is disconnected for more than"));
            } finally {
                cluster.cluster().startApiServer();
            }
            assertWorksAgain(operator);
        }
    }
}
