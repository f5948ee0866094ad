package dev.escapement.kubernetes.controller;

import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.run.KubernetesObjectRunner;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.RunKind;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.run.TombstonePodLookup;
import dev.escapement.kubernetes.run.job.JobKind;
import dev.escapement.kubernetes.run.tekton.PipelineRun;
import dev.escapement.kubernetes.run.tekton.TaskRun;
import dev.escapement.kubernetes.run.tekton.TektonKind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The informers and runners of the runs in one namespace: Jobs, and PipelineRuns if Tekton is installed. */
public final class RunInformers implements AutoCloseable {

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
                client, namespace, addInformer(Pod.class, new ResourceCache<>(TombstonePodLookup::trim)));
    }

    /**
     * Starts the informers and waits until they are synced.
     *
     * @param tekton whether Tekton is installed
     */
    public static RunInformers start(KubernetesClient client, String namespace, boolean tekton, InstantSource clock) {
        RunInformers runInformers = new RunInformers(client, namespace, clock);
        runInformers.addRunner(KubernetesRunnerService.JOB, new JobKind(runInformers.podLookup, clock), JobKind::trim);
        if (tekton) {
            runInformers.addPipelineRuns();
        }
        try {
            WatchHealth.startAll(runInformers.informers);
            return runInformers;
        } catch (RuntimeException failure) {
            runInformers.close();
            throw failure;
        }
    }

    private void addPipelineRuns() {
        ResourceCache<TaskRun> taskRuns = new ResourceCache<>(TaskRun::trim);
        addInformer(TaskRun.class, taskRuns);
        TektonKind kind = new TektonKind(client, namespace, taskRuns, podLookup, clock);
        addRunner(KubernetesRunnerService.TEKTON, kind, PipelineRun::trim);
    }

    private <T extends HasMetadata> void addRunner(String executor, RunKind<T> kind, UnaryOperator<T> trimmer) {
        ResourceCache<T> cache = new ResourceCache<>(trimmer, RunLabels::executionUid);
        addInformer(kind.type(), cache);
        runnersByExecutor.put(executor, new KubernetesObjectRunner<>(client, namespace, kind, cache, clock));
    }

    private <T extends HasMetadata> SharedIndexInformer<T> addInformer(Class<T> type, ResourceCache<T> cache) {
        SharedIndexInformer<T> informer = client.resources(type)
                .inNamespace(namespace)
                // Not by the managed-by label: Tekton writes its own name there on its pods.
                .withLabel(RunLabels.EXECUTION_UID)
                .runnableInformer(0)
                .itemStore(cache)
                // Every failure is retried; the health checks report a watch that stays disconnected.
                .exceptionHandler((started, failure) -> true);
        informers.add(informer);
        return informer;
    }

    /**
     * Creates the service that runs workflows here.
     *
     * @param defaultExecutor of executions that name none
     * @throws IllegalArgumentException if there is no such executor
     */
    public KubernetesRunnerService newRunnerService(String defaultExecutor) {
        return new KubernetesRunnerService(namespace, runnersByExecutor, defaultExecutor, clock);
    }

    /** Returns the informers of runs, their tasks and their pods. */
    public List<SharedIndexInformer<? extends HasMetadata>> informers() {
        return List.copyOf(informers);
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::close);
    }
}
