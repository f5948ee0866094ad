package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.WorkQueue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.kubernetes.resource.OperatorServiceAccount;
import dev.escapement.kubernetes.run.RunTestBed;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Uses real Jobs with a deadline of an hour. */
@ExtendWith(ClusterExtension.class)
class StuckJobTerminatorIT {

    private static final String MISSING_IMAGE = "simulated.local/pull-failure";
    private static final Duration NEVER = Duration.ofHours(1);

    private final List<String> responses = new CopyOnWriteArrayList<>();
    private final RunTestBed testBed;
    private final KubernetesClient client;
    private final SharedIndexInformer<Pod> podInformer;
    private final WorkQueue<OperatorTask> queue =
            new WorkQueue<>(1, ClusterOperator.MAX_FAILURE_DELAY, (task, attempt, failure) -> {}, () -> {});

    StuckJobTerminatorIT(TestCluster cluster) {
        this.testBed = RunTestBed.forJobs(cluster);
        this.client = OperatorServiceAccount.newClient(cluster, (method, code) -> responses.add(method + " " + code));
        this.podInformer =
                cluster.admin().pods().inNamespace(testBed.namespace()).runnableInformer(0);
        queue.start(task -> task.action().get());
    }

    @AfterEach
    void close() {
        podInformer.stop();
        queue.close();
        client.close();
        testBed.close();
    }

    private StuckJobTerminator newTerminator(KubernetesClient through, Duration timeout) {
        return new StuckJobTerminator(through, timeout, queue::add, System::nanoTime);
    }

    private void startWatching(StuckJobTerminator terminator) {
        podInformer.addEventHandler(terminator);
        podInformer.run();
    }

    private void awaitStuck(Execution execution) {
        ConditionPoller.await(
                "the pod is waiting for its image",
                () -> testBed.pods(execution).stream()
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
                .inNamespace(testBed.namespace())
                .withName(run.name().substring(run.name().lastIndexOf('/') + 1))
                .require();
    }

    @Test
    void terminatesJobWithMissingImageInOneWrite() {
        startWatching(newTerminator(client, Duration.ofMillis(500)));
        Execution execution = testBed.newExecution(1, MISSING_IMAGE);

        Failure failure = testBed.awaitFailure(execution);

        assertThat(failure.reason()).isEqualTo(FailureReason.ImagePullBackOff);
        assertThat(failure.wasExecutionFailure()).isFalse();
        assertThat(failure.message()).contains("pull-failure");
        assertThat(responses).containsExactly("PATCH 200");
    }

    /** A replica that does not lead drops its tasks. */
    @Test
    void terminatesAlreadyStuckJobOnEnqueueAll() {
        AtomicBoolean leading = new AtomicBoolean();
        StuckJobTerminator terminator = new StuckJobTerminator(
                client,
                Duration.ZERO,
                task -> {
                    if (leading.get()) {
                        queue.add(task);
                    }
                },
                System::nanoTime);
        startWatching(terminator);
        Execution execution = testBed.newExecution(1, MISSING_IMAGE);
        RunRef run = testBed.startRun(execution);
        awaitStuck(execution);
        assertThat(responses).isEmpty();

        leading.set(true);
        terminator.enqueueAll();

        assertThat(testBed.awaitFailure(execution, run).reason()).isEqualTo(FailureReason.ImagePullBackOff);
        assertThat(responses).containsExactly("PATCH 200");
    }

    @Test
    void keepsJobBeforeTimeoutOrWhileRunning() {
        startWatching(newTerminator(client, NEVER));
        Execution waiting = testBed.newExecution(1, MISSING_IMAGE);
        RunRef run = testBed.startRun(waiting);
        awaitStuck(waiting);
        Execution other = testBed.newExecution(2, "simulated.local/wait");
        testBed.startRun(other);
        testBed.awaitRunningPod(other);

        assertThat(responses).isEmpty();
        assertThat(job(run).getSpec().getParallelism()).isEqualTo(1);
    }

    /** A thread that ended would leave the Job running for its whole hour. */
    @Test
    void retriesAfterUnexpectedFailure() {
        Execution execution = testBed.newExecution(1, MISSING_IMAGE);
        testBed.startRun(execution);
        awaitStuck(execution);
        AtomicInteger attempts = new AtomicInteger();
        KubernetesClient failingClient = (KubernetesClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {KubernetesClient.class}, (proxy, method, arguments) -> {
                    attempts.incrementAndGet();
                    throw new IllegalStateException("unexpected");
                });
        newTerminator(failingClient, Duration.ZERO)
                .onAdd(testBed.pods(execution).get(0));
        ConditionPoller.await("a second attempt", () -> attempts.get() > 1);
    }

    @Test
    void doesNotRetryDeletedJob() {
        StuckJobTerminator terminator = newTerminator(client, Duration.ZERO);
        Execution execution = testBed.newExecution(1, MISSING_IMAGE);
        RunRef run = testBed.startRun(execution);
        awaitStuck(execution);
        Pod pod = testBed.pods(execution).get(0);
        client.resource(job(run)).delete();
        ConditionPoller.await(
                "its pod is deleted", () -> testBed.pods(execution).isEmpty());
        responses.clear();

        terminator.onAdd(pod);
        terminator.onAdd(pod);

        ConditionPoller.await("the task is done", () -> queue.depth() == 0);
        assertThat(responses).containsExactly("PATCH 404");
    }
}
