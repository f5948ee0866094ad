package dev.escapement.kubernetes.controller;

import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.run.ExecutorAdapter;
import dev.escapement.kubernetes.run.KubernetesObjectRunner;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.run.TombstonePodLookup;
import dev.escapement.kubernetes.run.job.JobAdapter;
import dev.escapement.kubernetes.run.tekton.PipelineRun;
import dev.escapement.kubernetes.run.tekton.TaskRun;
import dev.escapement.kubernetes.run.tekton.TektonAdapter;
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
        JobAdapter jobs = new JobAdapter(runInformers.podLookup, clock);
        runInformers.addRunner(KubernetesRunnerService.JOB, jobs, JobAdapter::trim);
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
        TektonAdapter adapter = new TektonAdapter(client, namespace, taskRuns, podLookup, clock);
        addRunner(KubernetesRunnerService.TEKTON, adapter, PipelineRun::trim);
    }

    private <T extends HasMetadata> void addRunner(
            String executor, ExecutorAdapter<T> adapter, UnaryOperator<T> trimmer) {
        ResourceCache<T> cache = new ResourceCache<>(trimmer, RunLabels::executionUid);
        addInformer(adapter.type(), cache);
        var writer = new ResourceWriter<>(client, adapter.type(), cache);
        runnersByExecutor.put(executor, new KubernetesObjectRunner<>(namespace, adapter, writer, clock));
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
