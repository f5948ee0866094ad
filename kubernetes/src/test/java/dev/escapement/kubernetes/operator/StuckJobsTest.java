package dev.escapement.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.kubernetes.resource.OperatorAccount;
import dev.escapement.kubernetes.run.Eventually;
import dev.escapement.kubernetes.run.RunBench;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With real Jobs, whose time would be up in an hour. */
@ExtendWith(ClusterExtension.class)
class StuckJobsTest {

    private static final String NO_SUCH_IMAGE = "simulated.local/pull-failure";
    private static final Duration FOREVER = Duration.ofHours(1);

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final RunBench bench;
    private final KubernetesClient client;
    private final SharedIndexInformer<Pod> pods;

    StuckJobsTest(TestCluster cluster) {
        this.bench = RunBench.jobs(cluster);
        this.client = OperatorAccount.client(cluster, (method, code) -> calls.add(method + " " + code));
        this.pods = cluster.admin().pods().inNamespace(bench.namespace()).runnableInformer(0);
    }

    @AfterEach
    void close() {
        pods.stop();
        client.close();
        bench.close();
    }

    private StuckJobs watching(Duration patience) {
        StuckJobs stuck = new StuckJobs(client, patience);
        pods.addEventHandler(stuck);
        pods.run();
        return stuck;
    }

    private void awaitStuck(Execution execution) {
        Eventually.holds(
                "the pod waits for its image",
                () -> bench.pods(execution).stream()
                        .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                        .anyMatch(container -> container.getState().getWaiting() != null
                                && "ImagePullBackOff"
                                        .equals(container
                                                .getState()
                                                .getWaiting()
                                                .getReason())));
    }

    private Job job(RunRef run) {
        return client.batch()
                .v1()
                .jobs()
                .inNamespace(bench.namespace())
                .withName(run.name().substring(run.name().lastIndexOf('/') + 1))
                .require();
    }

    @Test
    void aJobWithoutItsImageIsGivenUpByOneWriteAndBlocksNothing() {
        try (StuckJobs stuck = watching(Duration.ofMillis(500))) {
            stuck.start();
            Execution execution = bench.execution(1, NO_SUCH_IMAGE);

            Failure failure = bench.failure(execution);

            assertThat(failure.reason()).isEqualTo(FailureReason.ImagePullBackOff);
            assertThat(failure.wasExecutionFailure()).isFalse();
            assertThat(failure.message()).contains("pull-failure");
            assertThat(calls).containsExactly("PATCH 200");
        }
    }

    @Test
    void whoDoesNotLeadOnlyListens() {
        try (StuckJobs follower = new StuckJobs(client, Duration.ZERO);
                StuckJobs leader = new StuckJobs(client, Duration.ZERO)) {
            leader.start();
            pods.addEventHandler(follower);
            pods.addEventHandler(leader);
            pods.run();

            bench.failure(bench.execution(1, NO_SUCH_IMAGE));

            assertThat(calls).containsExactly("PATCH 200");
        }
    }

    @Test
    void whoTakesOverGivesUpWhatWasStuckBefore() {
        try (StuckJobs stuck = watching(Duration.ZERO)) {
            Execution execution = bench.execution(1, NO_SUCH_IMAGE);
            RunRef run = bench.go(execution);
            awaitStuck(execution);

            stuck.start();

            assertThat(bench.failure(execution, run).reason()).isEqualTo(FailureReason.ImagePullBackOff);
        }
    }

    @Test
    void nothingIsGivenUpBeforePatienceIsOverNorIfItRuns() {
        try (StuckJobs stuck = watching(FOREVER)) {
            stuck.start();
            Execution waiting = bench.execution(1, NO_SUCH_IMAGE);
            RunRef run = bench.go(waiting);
            awaitStuck(waiting);
            Execution other = bench.execution(2, "simulated.local/wait");
            bench.go(other);
            bench.running(other);

            assertThat(calls).isEmpty();
            assertThat(job(run).getSpec().getParallelism()).isEqualTo(1);
        }
    }

    /** A thread that ends without a word would leave the Job to its hour. */
    @Test
    void whateverGoesWrongIsTriedAgain() {
        Execution execution = bench.execution(1, NO_SUCH_IMAGE);
        bench.go(execution);
        awaitStuck(execution);
        AtomicInteger tries = new AtomicInteger();
        KubernetesClient odd = (KubernetesClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {KubernetesClient.class}, (proxy, method, arguments) -> {
                    tries.incrementAndGet();
                    throw new IllegalStateException("nobody has thought of this");
                });
        try (StuckJobs stuck = new StuckJobs(odd, Duration.ZERO)) {
            stuck.start();
            stuck.onAdd(bench.pods(execution).get(0));
            Eventually.holds("it is tried again", () -> tries.get() > 1);
        }
    }

    /** Somebody was faster: its deletion is seen by others. */
    @Test
    void aJobThatIsGoneIsNotAskedForAgain() {
        try (StuckJobs stuck = new StuckJobs(client, Duration.ZERO)) {
            Execution execution = bench.execution(1, NO_SUCH_IMAGE);
            RunRef run = bench.go(execution);
            awaitStuck(execution);
            Pod pod = bench.pods(execution).get(0);
            client.resource(job(run)).delete();
            Eventually.holds("it is gone", () -> bench.pods(execution).isEmpty());
            calls.clear();
            stuck.start();

            stuck.onAdd(pod);

            Eventually.holds("it was tried", () -> !calls.isEmpty());
            assertThat(calls).containsExactly("PATCH 404");
        }
    }
}
