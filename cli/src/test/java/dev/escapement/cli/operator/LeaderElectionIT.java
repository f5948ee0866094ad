package dev.escapement.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.controller.LeaderElection;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.server.operator.OperatorHarness;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import dev.escapement.testkit.cluster.node.SimulatedKubelet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Several replicas: one leads, the others serve reads and take over. */
@ExtendWith(ClusterExtension.class)
class LeaderElectionIT {

    private static final Map<String, String> LEADER_ELECTION = Map.of("leader-election", "on");

    private final TestCluster cluster;
    private final Path folder;
    private final String namespace;

    LeaderElectionIT(TestCluster cluster, @TempDir Path folder) {
        this.cluster = cluster;
        this.folder = folder;
        this.namespace = cluster.createNamespace("replicas");
    }

    @BeforeEach
    void deleteLease() {
        cluster.admin()
                .leases()
                .inNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                .withName(LeaderElection.LEASE_NAME)
                .delete();
    }

    @Test
    void stoppingLeaderHandsOverAndStandbyServesRequests() {
        try (OperatorHarness first = OperatorHarness.start(cluster, folder.resolve("first"), LEADER_ELECTION)) {
            ConditionPoller.await(
                    "the first replica leads", () -> first.operator().isLeading());
            try (OperatorHarness second = OperatorHarness.start(cluster, folder.resolve("second"), LEADER_ELECTION)) {
                first.createExecution(namespace, "by-first", namespace + "/deployment/a", "simulated.local/succeed");
                first.await(namespace, "by-first", "Completed");
                assertThat(second.operator().isLeading()).isFalse();
                assertThat(second.get("/health/ready").statusCode()).isEqualTo(200);
                ConditionPoller.await(
                        "the second replica has the result",
                        () -> second.get("/api/v1/executions?namespace=" + namespace)
                                .body()
                                .contains("Completed"));
                first.operator().close();
                long released = System.nanoTime();
                ConditionPoller.await(
                        "the second replica leads", () -> second.operator().isLeading());
                // Shorter than the lease, which would have to expire without the release.
                assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(Duration.ofSeconds(14));
                second.createExecution(namespace, "by-second", namespace + "/deployment/b", "simulated.local/succeed");
                second.await(namespace, "by-second", "Completed");
            }
        }
    }

    /** A killed leader does not release its lease: the lease must expire. */
    @Test
    void standbyFinishesExecutionOfKilledLeaderWithoutSecondStart() throws InterruptedException {
        String target = namespace + "/deployment/c";
        try (TestOperatorProcess leader = TestOperatorProcess.startReplica(cluster, folder.resolve("killed"))) {
            ConditionPoller.await("it leads", () -> !leaderIdentity().isEmpty());
            String killed = leaderIdentity();
            try (OperatorHarness standby = OperatorHarness.start(cluster, folder.resolve("standby"), LEADER_ELECTION)) {
                standby.createExecution(namespace, "inherited", target, "simulated.local/wait");
                UntypedExecution running = standby.await(namespace, "inherited", "Running");
                String uid = running.getMetadata().getUid();
                ConditionPoller.await(
                        "its pod runs",
                        () -> podsOf(uid).stream()
                                .anyMatch(
                                        pod -> "Running".equals(pod.getStatus().getPhase())));
                leader.kill();
                assertThat(standby.operator().isLeading()).isFalse();
                ConditionPoller.await(
                        "the standby leads", () -> standby.operator().isLeading());
                assertThat(leaderIdentity()).isNotEqualTo(killed);
                podsOf(uid).forEach(this::succeed);
                standby.await(namespace, "inherited", "Completed");
                assertThat(jobsOf(uid)).hasSize(1);
                assertThat(podsOf(uid)).hasSize(1);
                standby.createExecution(namespace, "own", target, "simulated.local/succeed");
                assertThat(String.valueOf(standby.await(namespace, "own", "Skipped")
                                .getStatus()
                                .get("skipDetails")))
                        .as("history of the killed leader")
                        .contains("RecentlyRemediated", "inherited");
            }
        }
    }

    private String leaderIdentity() {
        return Optional.ofNullable(cluster.admin()
                        .leases()
                        .inNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                        .withName(LeaderElection.LEASE_NAME)
                        .get())
                .map(lease -> lease.getSpec().getHolderIdentity())
                .orElse("");
    }

    private List<Job> jobsOf(String uid) {
        return cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(OperatorHarness.RUNS_NAMESPACE)
                .withLabel(RunLabels.EXECUTION_UID, uid)
                .list()
                .getItems();
    }

    private List<Pod> podsOf(String uid) {
        return cluster.admin()
                .pods()
                .inNamespace(OperatorHarness.RUNS_NAMESPACE)
                .withLabel(RunLabels.EXECUTION_UID, uid)
                .list()
                .getItems();
    }

    private void succeed(Pod pod) {
        cluster.admin()
                .resource(pod)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"succeed\"}}}"
                                .formatted(SimulatedKubelet.END_ANNOTATION));
    }

    @Test
    void terminatesWhenLeaseIsLost() throws InterruptedException {
        try (OperatorHarness operator = OperatorHarness.start(cluster, folder.resolve("loser"), LEADER_ELECTION)) {
            ConditionPoller.await("it leads", () -> operator.operator().isLeading());
            cluster.admin()
                    .leases()
                    .inNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                    .withName(LeaderElection.LEASE_NAME)
                    // A patch without a version: the leader renews the lease continuously.
                    .patch(PatchContext.of(PatchType.JSON_MERGE), """
                            {"spec": {"holderIdentity": "other-replica", "leaseDurationSeconds": 3600,
                                      "renewTime": "2100-01-01T00:00:00.000000Z"}}
                            """);
            operator.operator().awaitTermination();
            assertThat(operator.operator().isLeading()).isFalse();
        }
    }
}
