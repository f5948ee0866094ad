package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** On a cluster of its own, because objects of other tests would be counted too. */
@ExtendWith(ClusterExtension.class)
class OperatorMetricsIT {

    private final TestCluster cluster = TestCluster.startSeparate();
    private final OperatorHarness operator;
    private final String namespace;

    OperatorMetricsIT(@TempDir Path folder) {
        this.operator = OperatorHarness.start(cluster, folder, Map.of());
        this.namespace = cluster.createNamespace("counted");
    }

    @AfterEach
    void stop() {
        operator.close();
        cluster.cluster().close();
    }

    /** Returns the value of a series; empty if it does not exist. */
    private Optional<Double> metricValue(String series) {
        return operator.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .map(line -> Double.valueOf(line.substring(series.length() + 1)))
                .findFirst();
    }

    /** Waits, because the journal is read a moment after the change. */
    private void awaitMetric(String series, double value) {
        ConditionPoller.await(
                series + " is " + value, () -> metricValue(series).filter(seen -> seen == value), Optional::isPresent);
    }

    private String target(String name) {
        return namespace + "/deployment/" + name;
    }

    @Test
    void countsRequestsAndPendingEvents() {
        String metrics = operator.get("/metrics").body();
        assertThat(metrics)
                .contains("escapement_kubernetes_requests_total{code=\"200\",method=\"GET\"")
                .contains("escapement_kubernetes_events_waiting ")
                .doesNotContain("escapement_queue_depth");
    }

    @Test
    void countsFailedStartsAndSkipsUntilCleared() {
        String failing = target("failing");
        String failures = "workflowexecution_consecutive_failures{target_resource=\"%s\"}".formatted(failing);
        assertThat(metricValue("workflowexecution_total{outcome=\"Failed\"}")).contains(0.0);
        assertThat(metricValue(failures)).isEmpty();

        // The cluster has no Tekton.
        operator.createExecution(namespace, "failed", failing, "simulated.local/succeed", Map.of("engine", "tekton"));
        operator.await(namespace, "failed", "Failed");
        operator.createExecution(namespace, "skipped", failing, "simulated.local/succeed");
        operator.await(namespace, "skipped", "Skipped");

        awaitMetric("workflowexecution_total{outcome=\"Failed\"}", 1);
        awaitMetric("workflowexecution_total{outcome=\"Skipped\"}", 1);
        assertThat(metricValue("workflowexecution_total{outcome=\"Completed\"}"))
                .contains(0.0);
        assertThat(metricValue("workflowexecution_skip_total{reason=\"RecentlyRemediated\"}"))
                .contains(1.0);
        assertThat(metricValue("workflowexecution_backoff_skip_total{reason=\"RecentlyRemediated\"}"))
                .contains(1.0);
        assertThat(metricValue("workflowexecution_skip_total{reason=\"ResourceBusy\"}"))
                .contains(0.0);
        awaitMetric(failures, 1);

        assertThat(operator.post(
                                "/api/v1/targets/clear",
                                "{\"target\": \"%s\", \"by\": \"anna\", \"reason\": \"looked\"}".formatted(failing))
                        .statusCode())
                .isEqualTo(200);
        ConditionPoller.await(
                "the series ends with its reset", () -> metricValue(failures).isEmpty());
    }

    @Test
    void timesExecutionsAndCountsHeldLocks() {
        String held = "workflowexecution_locks_held";
        awaitMetric(held, 0);
        operator.createExecution(namespace, "long", target("long"), "simulated.local/hang");
        operator.await(namespace, "long", "Running");
        awaitMetric(held, 1);
        operator.createExecution(namespace, "busy", target("long"), "simulated.local/succeed");
        operator.await(namespace, "busy", "Skipped");
        operator.createExecution(namespace, "good", target("good"), "simulated.local/succeed");
        operator.await(namespace, "good", "Completed");

        awaitMetric("workflowexecution_total{outcome=\"Completed\"}", 1);
        awaitMetric("workflowexecution_skip_total{reason=\"ResourceBusy\"}", 1);
        assertThat(metricValue("workflowexecution_duration_seconds_count{outcome=\"Completed\"}"))
                .contains(1.0);
        assertThat(metricValue("workflowexecution_backoff_skip_total{reason=\"RecentlyRemediated\"}"))
                .as("ResourceBusy is not a backoff")
                .contains(0.0);

        assertThat(operator.delete("/api/v1/executions/long?namespace=" + namespace)
                        .statusCode())
                .isEqualTo(200);
        awaitMetric(held, 0);
    }
}
