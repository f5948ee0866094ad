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

/** The program itself on a cluster. */
@ExtendWith(ClusterExtension.class)
class OperatorKillIT {

    @Test
    void nextOperatorFinishesExecutionOfKilledOneAndStopsCleanly(TestCluster cluster, @TempDir Path folder)
            throws InterruptedException {
        String namespace = cluster.createNamespace("killed");
        String target = namespace + "/deployment/a";
        try (TestOperatorProcess first = TestOperatorProcess.start(cluster, folder);
                OperatorHarness people = OperatorHarness.withoutOperator(cluster)) {
            people.createExecution(namespace, "survivor", target, "simulated.local/wait");
            people.await(namespace, "survivor", "Running");
            first.kill();
            people.execution(namespace, "survivor").edit(found -> {
                found.getMetadata().setAnnotations(Map.of("kubernaut.ai/cancelled-by", "anna"));
                return found;
            });
            try (TestOperatorProcess next = TestOperatorProcess.start(cluster, folder)) {
                people.await(namespace, "survivor", "Failed");
                assertThat(next.stop()).isEqualTo(0);
            }
        }
    }
}
