package dev.escapement.kubernetes.operator;

import dev.escapement.kubernetes.run.KubernetesRuns;
import dev.escapement.kubernetes.run.ObjectRuns;
import dev.escapement.kubernetes.run.Pods;
import dev.escapement.kubernetes.run.RunCache;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.run.WatchedPods;
import dev.escapement.kubernetes.run.job.JobKind;
import dev.escapement.kubernetes.run.tekton.PipelineRun;
import dev.escapement.kubernetes.run.tekton.TaskRun;
import dev.escapement.kubernetes.run.tekton.TektonKind;
import dev.escapement.kubernetes.run.tekton.Trimmed;
import dev.escapement.kubernetes.store.TrimmedStore;
import dev.escapement.kubernetes.store.View;
import dev.escapement.kubernetes.store.WatchedView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/**
 * The watches of runs in the execution namespace, and the runs themselves: Jobs always, and Tekton's if it is there.
 */
public final class RunWatches implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final KubernetesClient client;
    private final String namespace;
    private final InstantSource clock;
    private final List<SharedIndexInformer<? extends HasMetadata>> informers = new ArrayList<>();
    private final Map<String, ObjectRuns<?>> executors = new HashMap<>();
    private final Pods pods;

    private RunWatches(KubernetesClient client, String namespace, InstantSource clock) {
        this.client = client;
        this.namespace = namespace;
        this.clock = clock;
        this.pods = new WatchedPods(Pods.in(client, namespace), informer(Pod.class, WatchedPods::essence));
    }

    /**
     * Begins to watch; what there is is known when this returns.
     *
     * @param tekton whether Tekton is there
     */
    public static RunWatches start(KubernetesClient client, String namespace, boolean tekton, InstantSource clock) {
        RunWatches watches = new RunWatches(client, namespace, clock);
        watches.jobs();
        if (tekton) {
            watches.pipelineRuns();
        }
        try {
            watches.begin();
            return watches;
        } catch (RuntimeException failure) {
            watches.close();
            throw failure;
        }
    }

    private void jobs() {
        RunCache<Job> cache = RunCache.over(informer(Job.class, JobKind::trimmed), namespace);
        executors.put(KubernetesRuns.JOB, JobKind.runs(client, namespace, cache, pods, clock));
    }

    private void pipelineRuns() {
        RunCache<PipelineRun> cache = RunCache.over(informer(PipelineRun.class, Trimmed::pipelineRun), namespace);
        View<TaskRun> tasks = new WatchedView<>(informer(TaskRun.class, Trimmed::taskRun));
        executors.put(KubernetesRuns.TEKTON, TektonKind.runs(client, namespace, cache, tasks, pods, clock));
    }

    private <T extends HasMetadata> SharedIndexInformer<T> informer(Class<T> type, UnaryOperator<T> trim) {
        SharedIndexInformer<T> informer = make(type, trim);
        informers.add(informer);
        return informer;
    }

    private <T extends HasMetadata> SharedIndexInformer<T> make(Class<T> type, UnaryOperator<T> trim) {
        return client.resources(type)
                .inNamespace(namespace)
                // Not by who manages it: on its pods Tekton writes its own name there.
                .withLabel(RunLabels.EXECUTION_UID)
                .runnableInformer(0)
                .itemStore(new TrimmedStore<>(trim))
                // Whatever it was, it may be over the next time; who asks how we are is told.
                .exceptionHandler((started, failure) -> true);
    }

    private void begin() {
        try {
            CompletableFuture.allOf(informers.stream()
                            .map(informer -> informer.start().toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the watches of runs begin", interrupted);
        } catch (ExecutionException | TimeoutException failure) {
            throw new IllegalStateException(
                    "the runs in namespace %s cannot be watched: %s".formatted(namespace, failure), failure);
        }
    }

    /**
     * The runs.
     *
     * @param byDefault the executor of executions that name none
     * @throws IllegalArgumentException if there is no such executor here
     */
    public KubernetesRuns runs(String byDefault) {
        return new KubernetesRuns(namespace, executors, byDefault, clock);
    }

    /** The watches of runs, and of what they consist of, pods included. */
    public List<SharedIndexInformer<? extends HasMetadata>> informers() {
        return List.copyOf(informers);
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::close);
    }
}
