package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.CrashTestWorkflows.Workload;
import dev.escapement.crashtests.cluster.ExecutionClient.ExecutionRequest;
import dev.escapement.crashtests.cluster.proxy.RunEngine;
import dev.escapement.crashtests.kit.EscapementApiClient;
import dev.escapement.crashtests.kit.LoadThreads;
import dev.escapement.testkit.ConditionPoller;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates, cancels and deletes executions and clears targets until it is stopped, partly through the API server and
 * partly through an operator.
 */
final class ClusterLoad {

    private static final int THREADS = 2;
    private static final int TARGETS = 24;
    private static final Duration MAX_PAUSE = Duration.ofMillis(500);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

    /** Namespace and name of the acknowledged executions, by uid. */
    final Map<String, String> acknowledged = new ConcurrentHashMap<>();

    /** Uids of the executions whose deletion was requested. */
    final Set<String> deleted = ConcurrentHashMap.newKeySet();

    final AtomicInteger cancelled = new AtomicInteger();
    final AtomicInteger cleared = new AtomicInteger();

    private final ExecutionClient executions;
    private final OperatorGroup operators;
    private final List<Workload> workloads;
    private final AtomicInteger executionCount = new AtomicInteger();
    private final LoadThreads threads;

    ClusterLoad(CrashTestCluster cluster, OperatorGroup operators, long seed) {
        this.executions = new ExecutionClient(cluster.admin());
        this.operators = operators;
        CrashTestWorkflows workflows = cluster.workflows();
        Workload quick = workflows.createSucceeding(RunEngine.TEKTON, "200ms");
        Workload quickJob = workflows.createSucceeding(RunEngine.JOB, "200ms");
        this.workloads = List.of(
                quick,
                quick,
                quick,
                quickJob,
                quickJob,
                quickJob,
                workflows.createSucceeding(RunEngine.TEKTON, "1200ms"),
                workflows.createSucceeding(RunEngine.JOB, "1200ms"),
                workflows.createFailing(RunEngine.TEKTON),
                workflows.createFailing(RunEngine.JOB),
                workflows.createUnpullable());
        threads = new LoadThreads(THREADS, seed, this::sendRequests);
        threads.start();
    }

    /** Repeats the request under the same name until it is acknowledged; returns the uid. */
    String create(ExecutionRequest request) {
        while (true) {
            try {
                String uid = executions.create(request);
                acknowledged.put(uid, request.namespace() + "/" + request.name());
                return uid;
            } catch (KubernetesClientException unavailable) {
                ConditionPoller.sleep(Duration.ofMillis(100));
            }
        }
    }

    /** Deletes the execution through the API server, without the operator. */
    void delete(ExecutionRequest request, String uid) {
        deleted.add(uid);
        try {
            executions.delete(request.namespace(), request.name());
        } catch (KubernetesClientException unavailable) {
            // The deletion was not acknowledged, so it may be lost.
        }
    }

    void stop() throws InterruptedException {
        threads.stop();
    }

    private void sendRequests(SplittableRandom random) throws IOException, InterruptedException {
        int number = random.nextInt(TARGETS);
        ExecutionRequest request = new ExecutionRequest(
                pickRandom(CrashTestCluster.NAMESPACES, random),
                "e" + executionCount.incrementAndGet(),
                random.nextInt(3) == 0 ? "scale" : "restart",
                pickRandom(workloads, random),
                number % 4 == 0 ? "node/n" + number : "shop/Deployment/d" + number);
        String uid = create(request);
        ConditionPoller.sleep(Duration.ofMillis(random.nextLong(MAX_PAUSE.toMillis())));
        int port = pickRandom(operators.all(), random).port();
        EscapementApiClient api = new EscapementApiClient(port, "cluster-crash-test", REQUEST_TIMEOUT);
        switch (random.nextInt(12)) {
            case 0 -> {
                if (api.cancel(request.namespace(), request.name())) {
                    cancelled.incrementAndGet();
                }
            }
            case 1 -> {
                deleted.add(uid);
                api.delete(request.namespace(), request.name());
            }
            case 2 -> delete(request, uid);
            case 3, 4 -> cleared.addAndGet(api.clearFailingTargets(target -> true, "no run is active on it"));
            default -> {
                // The execution runs to its end.
            }
        }
    }

    private static <T> T pickRandom(List<T> choices, SplittableRandom random) {
        return choices.get(random.nextInt(choices.size()));
    }
}
