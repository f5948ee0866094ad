package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.CrashTestWorkflows.Workload;
import dev.escapement.crashtests.cluster.ExecutionClient.ExecutionRequest;
import dev.escapement.crashtests.cluster.proxy.RunEngine;
import dev.escapement.crashtests.kit.CrashTestWait;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** People and programs that ask for things all the time, and ask again when no answer comes. */
final class ClusterLoad {

    private static final int WORKERS = 2;
    private static final int TARGETS = 24;
    private static final Duration MAX_PAUSE = Duration.ofMillis(500);

    /** By uid, each with namespace and name. */
    final Map<String, String> acknowledged = new ConcurrentHashMap<>();

    /** Those that somebody meant to delete. */
    final Set<String> deleted = ConcurrentHashMap.newKeySet();

    final AtomicInteger cancelled = new AtomicInteger();
    final AtomicInteger cleared = new AtomicInteger();

    private final ExecutionClient executions;
    private final OperatorGroup operators;
    private final List<Workload> workloads;
    private final AtomicInteger executionCount = new AtomicInteger();
    private final List<Thread> threads;
    private volatile boolean stopRequested;

    ClusterLoad(CrashTestCluster stage, OperatorGroup fleet, long seed) {
        this.executions = new ExecutionClient(stage.admin());
        this.operators = fleet;
        CrashTestWorkflows made = stage.workflows();
        Workload quick = made.createSucceeding(RunEngine.TEKTON, "200ms");
        Workload quickJob = made.createSucceeding(RunEngine.JOB, "200ms");
        this.workloads = List.of(
                quick,
                quick,
                quick,
                quickJob,
                quickJob,
                quickJob,
                made.createSucceeding(RunEngine.TEKTON, "1200ms"),
                made.createSucceeding(RunEngine.JOB, "1200ms"),
                made.createFailing(RunEngine.TEKTON),
                made.createFailing(RunEngine.JOB),
                made.createUnpullable());
        SplittableRandom seeds = new SplittableRandom(seed);
        threads = IntStream.range(0, WORKERS)
                .mapToObj(i -> new Thread(new LoadWorker(seeds.split()), "asker-" + i))
                .toList();
        threads.forEach(Thread::start);
    }

    /** Until it is answered: whoever gets no answer asks again, under the same name. Returns the uid. */
    String create(ExecutionRequest wish) {
        while (true) {
            try {
                String uid = executions.create(wish);
                acknowledged.put(uid, wish.namespace() + "/" + wish.name());
                return uid;
            } catch (KubernetesClientException away) {
                CrashTestWait.sleep(Duration.ofMillis(100));
            }
        }
    }

    /** Past the operator. */
    void delete(ExecutionRequest wish, String uid) {
        deleted.add(uid);
        try {
            executions.delete(wish.namespace(), wish.name());
        } catch (KubernetesClientException away) {
            // Nothing was promised, so nothing is owed.
        }
    }

    void stop() throws InterruptedException {
        stopRequested = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private final class LoadWorker implements Runnable {
        private final SplittableRandom random;
        private final OperatorApiClient api = new OperatorApiClient();

        LoadWorker(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public void run() {
            while (!stopRequested) {
                try {
                    sendRequests();
                } catch (IOException gone) {
                    CrashTestWait.sleep(Duration.ofMillis(50));
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }

        private void sendRequests() throws IOException, InterruptedException {
            int number = random.nextInt(TARGETS);
            ExecutionRequest wish = new ExecutionRequest(
                    pickRandom(CrashTestCluster.NAMESPACES),
                    "e" + executionCount.incrementAndGet(),
                    random.nextInt(3) == 0 ? "scale" : "restart",
                    pickRandom(workloads),
                    number % 4 == 0 ? "node/n" + number : "shop/Deployment/d" + number);
            String uid = create(wish);
            CrashTestWait.sleep(Duration.ofMillis(random.nextLong(MAX_PAUSE.toMillis())));
            List<ProxiedOperatorProcess> there = operators.all();
            int port = there.get(random.nextInt(there.size())).port();
            switch (random.nextInt(12)) {
                case 0 -> {
                    if (api.cancel(port, wish.namespace(), wish.name())) {
                        cancelled.incrementAndGet();
                    }
                }
                case 1 -> {
                    deleted.add(uid);
                    api.delete(port, wish.namespace(), wish.name());
                }
                case 2 -> delete(wish, uid);
                case 3, 4 -> cleared.addAndGet(api.clearFailingTargets(port));
                default -> {
                    // It is left alone.
                }
            }
        }

        private <T> T pickRandom(List<T> choices) {
            return choices.get(random.nextInt(choices.size()));
        }
    }
}
