package dev.escapement.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.operator.OperatorHarness;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Kills an operator process while it runs an execution. */
@ExtendWith(ClusterExtension.class)
class OperatorKillIT {

    @Test
    void nextOperatorFinishesExecutionOfKilledOneAndStopsCleanly(TestCluster cluster, @TempDir Path folder)
            throws InterruptedException {
        String namespace = cluster.createNamespace("killed");
        String target = namespace + "/deployment/a";
        try (TestOperatorProcess first = TestOperatorProcess.start(cluster, folder);
                OperatorHarness client = OperatorHarness.withoutOperator(cluster)) {
            client.createExecution(namespace, "survivor", target, "simulated.local/wait");
            client.await(namespace, "survivor", "Running");
            first.kill();
            client.execution(namespace, "survivor").edit(found -> {
                found.getMetadata().setAnnotations(Map.of("kubernaut.ai/cancelled-by", "anna"));
                return found;
            });
            try (TestOperatorProcess next = TestOperatorProcess.start(cluster, folder)) {
                client.await(namespace, "survivor", "Failed");
                assertThat(next.stop()).isEqualTo(0);
            }
        }
    }
}
