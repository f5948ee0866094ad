package dev.escapement.kubernetes.controller;

import dev.escapement.kubernetes.cache.ReadYourWritesCache;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.TrimmedItemStore;
import dev.escapement.kubernetes.run.KubernetesObjectRunner;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.RunCache;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.run.TombstonePodLookup;
import dev.escapement.kubernetes.run.job.JobKind;
import dev.escapement.kubernetes.run.tekton.PipelineRun;
import dev.escapement.kubernetes.run.tekton.TaskRun;
import dev.escapement.kubernetes.run.tekton.TektonKind;
import dev.escapement.kubernetes.run.tekton.TektonTrimmer;
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
public final class RunInformers implements AutoCloseable {

    private static final Duration CACHE_SYNC_TIMEOUT = Duration.ofSeconds(60);

    private final KubernetesClient client;
    private final String namespace;
    private final InstantSource clock;
    private final List<SharedIndexInformer<? extends HasMetadata>> informers = new ArrayList<>();
    private final Map<String, KubernetesObjectRunner<?>> runnersByExecutor = new HashMap<>();
    private final PodLookup podLookup;

    private RunInformers(KubernetesClient client, String namespace, InstantSource clock) {
        this.client = client;
        this.namespace = namespace;
        this.clock = clock;
        this.podLookup = new TombstonePodLookup(
                PodLookup.fromApiServer(client, namespace), addInformer(Pod.class, TombstonePodLookup::trim));
    }

    /**
     * Begins to watch; what there is is known when this returns.
     *
     * @param tekton whether Tekton is there
     */
    public static RunInformers start(KubernetesClient client, String namespace, boolean tekton, InstantSource clock) {
        RunInformers watches = new RunInformers(client, namespace, clock);
        watches.addJobs();
        if (tekton) {
            watches.addPipelineRuns();
        }
        try {
            watches.startInformers();
            return watches;
        } catch (RuntimeException failure) {
            watches.close();
            throw failure;
        }
    }

    private void addJobs() {
        RunCache<Job> cache = RunCache.ofInformer(addInformer(Job.class, JobKind::trim), namespace);
        runnersByExecutor.put(
                KubernetesRunnerService.JOB, JobKind.newRunner(client, namespace, cache, podLookup, clock));
    }

    private void addPipelineRuns() {
        RunCache<PipelineRun> cache =
                RunCache.ofInformer(addInformer(PipelineRun.class, TektonTrimmer::trimPipelineRun), namespace);
        ResourceCache<TaskRun> tasks =
                new ReadYourWritesCache<>(addInformer(TaskRun.class, TektonTrimmer::trimTaskRun));
        runnersByExecutor.put(
                KubernetesRunnerService.TEKTON,
                TektonKind.newRunner(client, namespace, cache, tasks, podLookup, clock));
    }

    private <T extends HasMetadata> SharedIndexInformer<T> addInformer(Class<T> type, UnaryOperator<T> trim) {
        SharedIndexInformer<T> informer = newInformer(type, trim);
        informers.add(informer);
        return informer;
    }

    private <T extends HasMetadata> SharedIndexInformer<T> newInformer(Class<T> type, UnaryOperator<T> trim) {
        return client.resources(type)
                .inNamespace(namespace)
                // Not by who manages it: on its pods Tekton writes its own name there.
                .withLabel(RunLabels.EXECUTION_UID)
                .runnableInformer(0)
                .itemStore(new TrimmedItemStore<>(trim))
                // Whatever it was, it may be over the next time; who asks how we are is told.
                .exceptionHandler((started, failure) -> true);
    }

    private void startInformers() {
        try {
            CompletableFuture.allOf(informers.stream()
                            .map(informer -> informer.start().toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .get(CACHE_SYNC_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
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
    public KubernetesRunnerService newRunnerService(String byDefault) {
        return new KubernetesRunnerService(namespace, runnersByExecutor, byDefault, clock);
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
