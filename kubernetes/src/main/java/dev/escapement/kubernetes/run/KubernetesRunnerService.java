package dev.escapement.kubernetes.run;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.cache.WatchHealth;
import dev.escapement.kubernetes.run.job.JobAdapter;
import dev.escapement.kubernetes.run.tekton.PipelineRun;
import dev.escapement.kubernetes.run.tekton.TaskRun;
import dev.escapement.kubernetes.run.tekton.TektonAdapter;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The runners of an operator and the watches that they read from, for the runs in one namespace: Jobs, and PipelineRuns
 * if Tekton is installed. Each execution names its executor in {@code spec.executionConfig.engine} or gets the default
 * one.
 */
public final class KubernetesRunnerService implements RunnerService {

    public static final String TEKTON = "tekton";
    public static final String JOB = "job";

    private static final int MAX_NAME_LENGTH = 60;

    private final KubernetesClient client;
    private final String namespace;
    private final String defaultExecutor;
    private final InstantSource clock;
    private final List<SharedIndexInformer<? extends HasMetadata>> informers = new ArrayList<>();
    private final Map<String, KubernetesObjectRunner<?>> executors = new TreeMap<>();

    private KubernetesRunnerService(
            KubernetesClient client, String namespace, boolean tekton, String defaultExecutor, InstantSource clock) {
        this.client = client;
        this.namespace = namespace;
        this.defaultExecutor = defaultExecutor;
        this.clock = clock;
        var podInformer = addInformer(Pod.class, new ResourceCache<>(TombstonePodLookup::trim));
        PodLookup pods = new TombstonePodLookup(client, namespace, podInformer);
        addExecutor(JOB, new JobAdapter(pods, clock), JobAdapter::trim);
        if (tekton) {
            ResourceCache<TaskRun> taskRuns = new ResourceCache<>(TaskRun::trim);
            addInformer(TaskRun.class, taskRuns);
            addExecutor(TEKTON, new TektonAdapter(client, namespace, taskRuns, pods, clock), PipelineRun::trim);
        }
        if (!executors.containsKey(defaultExecutor)) {
            throw new IllegalArgumentException(
                    "the default executor is \"%s\": must be one of %s".formatted(defaultExecutor, executors.keySet()));
        }
    }

    /**
     * Starts the watches and waits until they are synced.
     *
     * @param tekton whether Tekton is installed
     * @param defaultExecutor for executions that name none
     * @throws IllegalArgumentException if there is no such executor
     */
    public static KubernetesRunnerService start(
            KubernetesClient client, String namespace, boolean tekton, String defaultExecutor, InstantSource clock) {
        var service = new KubernetesRunnerService(client, namespace, tekton, defaultExecutor, clock);
        try {
            WatchHealth.startAll(service.informers);
            return service;
        } catch (RuntimeException failure) {
            service.close();
            throw failure;
        }
    }

    private <T extends HasMetadata> void addExecutor(
            String name, ExecutorAdapter<T> adapter, UnaryOperator<T> trimmer) {
        ResourceCache<T> cache = new ResourceCache<>(trimmer, RunLabels::executionUid);
        addInformer(adapter.type(), cache);
        var writer = new ResourceWriter<>(client, adapter.type(), cache);
        executors.put(name, new KubernetesObjectRunner<>(namespace, adapter, writer, clock));
    }

    private <T extends HasMetadata> SharedIndexInformer<T> addInformer(Class<T> type, ResourceCache<T> cache) {
        // Not by the managed-by label: Tekton writes its own name there on its pods.
        var informer =
                cache.newInformer(client.resources(type).inNamespace(namespace).withLabel(RunLabels.EXECUTION_UID));
        informers.add(informer);
        return informer;
    }

    /** Returns the informers of runs, their tasks and their pods. */
    public List<SharedIndexInformer<? extends HasMetadata>> informers() {
        return List.copyOf(informers);
    }

    @Override
    public Preparation prepare(Execution execution) {
        String executor = execution.spec().config().engine();
        KubernetesObjectRunner<?> runner = executors.get(executor.isEmpty() ? defaultExecutor : executor);
        if (runner != null) {
            return runner.prepare(execution);
        }
        String problem = "spec.executionConfig.engine is %s: this operator has %s; leave it out for %s"
                .formatted(SafeText.quote(executor, MAX_NAME_LENGTH), executorNames(), defaultExecutor);
        return PreparationRefusals.of(RunEnd.REFUSED, "ExecutorNotFound", problem, clock.instant());
    }

    private String executorNames() {
        return String.join(" and ", executors.keySet());
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        return runnerOf(run).start(run, version, epoch);
    }

    @Override
    public Observation observe(RunRef run) {
        return runnerOf(run).observe(run);
    }

    @Override
    public void stop(RunRef run, String by) {
        runnerOf(run).stop(run, by);
    }

    @Override
    public boolean remove(RunRef run, String version) {
        return runnerOf(run).remove(run, version);
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        executors.values().forEach(runner -> runner.removeSuspended(execution));
    }

    /** Returns how many runs are active. They need no recovery: the cluster runs them. */
    @Override
    public int recover(Predicate<ExecutionRef> owned) {
        return executors.values().stream()
                .mapToInt(KubernetesObjectRunner::countRunning)
                .sum();
    }

    @Override
    public void deleteRunData(ExecutionRef execution) {
        executors.values().forEach(runner -> runner.deleteInactiveRuns(execution));
    }

    /** Returns the kubectl command that prints the output: the operator itself has no permission to read logs. */
    @Override
    public Chunk read(RunRef run, long from, int limit) {
        RunLocation location = RunLocation.of(run, namespace);
        String text = "kubectl logs -n %s -l %s --all-containers --prefix --tail=-1%n"
                .formatted(location.namespace(), labelSelector(run, location));
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        return from > 0 ? new Chunk("", from, true) : new Chunk(text, length, true);
    }

    private String labelSelector(RunRef run, RunLocation location) {
        return findRunner(run)
                .filter(runner -> location.namespace().equals(namespace))
                .flatMap(runner -> runner.executionUid(run))
                .map(uid -> RunLabels.EXECUTION_UID + "=" + uid)
                .orElse(RunLabels.MANAGED_BY + "=" + RunLabels.ESCAPEMENT);
    }

    /** @throws IllegalStateException if there is none: without its executor the state of a run is unknown */
    private KubernetesObjectRunner<?> runnerOf(RunRef run) {
        return findRunner(run)
                .orElseThrow(() -> new IllegalStateException(
                        ("run %s needs an executor that this operator does not have (it has %s): its state is unknown, so"
                                        + " its target stays locked; install the executor and restart the operator")
                                .formatted(run.name(), executorNames())));
    }

    private Optional<KubernetesObjectRunner<?>> findRunner(RunRef run) {
        return executors.values().stream().filter(runner -> runner.owns(run)).findFirst();
    }

    /** Stops the watches. The runs continue. */
    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::close);
    }

    /**
     * The location of a run as its reference gives it: {@code job/NAMESPACE/NAME}. It includes the namespace because an
     * operator that reads another namespace would not find the run and would treat it as deleted.
     *
     * @param kind the prefix of its executor, such as {@code job}
     */
    record RunLocation(String kind, String namespace, String name) {

        private static final String SEPARATOR = "/";
        private static final int PART_COUNT = 3;

        /** @param defaultNamespace for a reference without a namespace */
        static RunLocation of(RunRef run, String defaultNamespace) {
            String[] parts = run.name().split(SEPARATOR, PART_COUNT);
            return parts.length == PART_COUNT
                    ? new RunLocation(parts[0], parts[1], parts[2])
                    : new RunLocation(parts[0], defaultNamespace, parts[parts.length - 1]);
        }

        String toReference() {
            return String.join(SEPARATOR, kind, namespace, name);
        }
    }
}
