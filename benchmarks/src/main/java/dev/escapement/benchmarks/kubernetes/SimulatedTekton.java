package dev.escapement.benchmarks.kubernetes;

import dev.escapement.kubernetes.run.tekton.PipelineRun;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Replaces Tekton's controller, whose own work (a pod and a dozen writes for each run) would hide that of the operator.
 * It marks every started PipelineRun as succeeded, with one write.
 */
final class SimulatedTekton implements AutoCloseable, ResourceEventHandler<PipelineRun> {

    private static final int WRITER_COUNT = 8;

    private final KubernetesClient client;
    private final InstantSource clock;
    private final Set<String> handledRuns = ConcurrentHashMap.newKeySet();
    private final ExecutorService writers = Executors.newFixedThreadPool(WRITER_COUNT);
    private final AtomicInteger endedCount = new AtomicInteger();
    private final SharedIndexInformer<PipelineRun> informer;

    SimulatedTekton(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
        this.informer = client.resources(PipelineRun.class)
                .inNamespace(BenchmarkCluster.RUN_NAMESPACE)
                .inform(this);
    }

    @Override
    public void onAdd(PipelineRun run) {
        handle(run);
    }

    @Override
    public void onUpdate(PipelineRun old, PipelineRun run) {
        handle(run);
    }

    @Override
    public void onDelete(PipelineRun run, boolean finalStateUnknown) {
        handledRuns.remove(run.getMetadata().getUid());
    }

    private void handle(PipelineRun run) {
        boolean started = !run.getSpec().containsKey("status")
                && Optional.ofNullable(run.getStatus()).isEmpty();
        if (started && handledRuns.add(run.getMetadata().getUid())) {
            writers.execute(() -> succeed(run));
        }
    }

    private void succeed(PipelineRun run) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Map<String, Object> condition = Map.of(
                "type", "Succeeded",
                "status", "True",
                "reason", "Succeeded",
                "message", "Tasks Completed: 1 (Failed: 0, Cancelled 0), Skipped: 0",
                "lastTransitionTime", now.toString());
        Map<String, Object> child = Map.of(
                "apiVersion",
                "tekton.dev/v1",
                "kind",
                "TaskRun",
                "name",
                "simulated-taskrun-of-this-pipelinerun",
                "pipelineTaskName",
                "act");
        Map<String, Object> status = Map.of(
                "conditions", List.of(condition),
                "startTime", now.toString(),
                "completionTime", now.toString(),
                "childReferences", List.of(child));
        client.resource(run)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(Map.of("status", status)));
        endedCount.incrementAndGet();
    }

    /** Returns the number of runs that it has marked as succeeded. */
    int endedCount() {
        return endedCount.get();
    }

    @Override
    public void close() {
        informer.close();
        writers.shutdownNow();
    }
}
