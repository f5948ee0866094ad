package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ClusterExtension.class)
class OperatorMetricsTest {

    private final TestCluster cluster;

    OperatorMetricsTest(TestCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void anOperatorCountsItsRequestsAndTheEventsThatItHasYetToWrite(@TempDir Path folder) {
        try (OperatorHarness harness = OperatorHarness.start(cluster, folder, Map.of())) {
            String metrics = harness.get("/metrics").body();

            assertThat(metrics)
                    .contains("escapement_kubernetes_requests_total{code=\"200\",method=\"GET\"")
                    .contains("escapement_kubernetes_events_waiting ")
                    .contains("workflowexecution_total{outcome=\"Completed\"}")
                    .contains("workflowexecution_locks_held ")
                    .doesNotContain("escapement_queue_depth");
        }
    }
}
