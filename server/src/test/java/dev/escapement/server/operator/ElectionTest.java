package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.kubernetes.operator.Election;
import dev.escapement.server.Waiting;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Several replicas: one works, the others know what it knows. */
@ExtendWith(ClusterExtension.class)
class ElectionTest {

    private static final Map<String, String> ELECTS = Map.of("leader-election", "on");

    private final TestCluster cluster;
    private final Path folder;
    private final String namespace;

    ElectionTest(TestCluster cluster, @TempDir Path folder) {
        this.cluster = cluster;
        this.folder = folder;
        this.namespace = cluster.freshNamespace("replicas");
    }

    @BeforeEach
    void nobodyLeads() {
        cluster.admin()
                .leases()
                .inNamespace(OperatorHarness.SYSTEM)
                .withName(Election.LEASE)
                .delete();
    }

    @Test
    void whoStopsHandsOverAtOnceAndWhoWaitsAnswersAllTheSame() {
        try (OperatorHarness first = OperatorHarness.start(cluster, folder.resolve("first"), ELECTS)) {
            Waiting.until("the first leads", () -> first.operator().isLeading());
            try (OperatorHarness second = OperatorHarness.start(cluster, folder.resolve("second"), ELECTS)) {
                first.create(namespace, "by-first", namespace + "/deployment/a", "simulated.local/succeed");
                first.await(namespace, "by-first", "Completed");
                assertThat(second.operator().isLeading()).isFalse();
                assertThat(second.get("/health/ready").statusCode()).isEqualTo(200);
                Waiting.until(
                        "the second knows",
                        () -> second.get("/api/v1/executions?namespace=" + namespace)
                                .body()
                                .contains("Completed"));
                first.operator().close();
                long released = System.nanoTime();
                Waiting.until("the second leads", () -> second.operator().isLeading());
                // The lease itself lasts longer.
                assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(Duration.ofSeconds(14));
                second.create(namespace, "by-second", namespace + "/deployment/b", "simulated.local/succeed");
                second.await(namespace, "by-second", "Completed");
            }
        }
    }

    @Test
    void whoLosesTheLeaseEnds() throws InterruptedException {
        try (OperatorHarness operator = OperatorHarness.start(cluster, folder.resolve("loser"), ELECTS)) {
            Waiting.until("it leads", () -> operator.operator().isLeading());
            cluster.admin()
                    .leases()
                    .inNamespace(OperatorHarness.SYSTEM)
                    .withName(Election.LEASE)
                    // Not with the version that was read: the one that leads renews it all the time.
                    .patch(PatchContext.of(PatchType.JSON_MERGE), """
                            {"spec": {"holderIdentity": "somebody-else", "leaseDurationSeconds": 3600,
                                      "renewTime": "2100-01-01T00:00:00.000000Z"}}
                            """);
            operator.operator().awaitEnd();
            assertThat(operator.operator().isLeading()).isFalse();
        }
    }
}
