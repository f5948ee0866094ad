package dev.escapement.kubernetes.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.cache.WatchHealth;
import dev.escapement.kubernetes.run.job.JobAdapter;
import dev.escapement.kubernetes.run.job.PodCreationFailures;
import dev.escapement.kubernetes.run.tekton.PipelineRun;
import dev.escapement.kubernetes.run.tekton.TaskRun;
import dev.escapement.kubernetes.run.tekton.TektonAdapter;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

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
    private final ParameterCheck parameters;
    private final InstantSource clock;
    private final List<SharedIndexInformer<? extends HasMetadata>> informers = new ArrayList<>();
    private final Map<String, KubernetesObjectRunner<?>> executors = new TreeMap<>();
    private final List<Consumer<HasMetadata>> stalledListeners = new CopyOnWriteArrayList<>();

    private KubernetesRunnerService(
            KubernetesClient client,
            String namespace,
            boolean tekton,
            String defaultExecutor,
            ParameterCheck parameters,
            InstantSource clock) {
        this.client = client;
        this.namespace = namespace;
        this.defaultExecutor = defaultExecutor;
        this.parameters = parameters;
        this.clock = clock;
        var podInformer = addInformer(Pod.class, new ResourceCache<>(TombstonePodLookup::trim));
        PodLookup pods = new TombstonePodLookup(client, namespace, podInformer);
        ResourceCache<Job> jobs = new ResourceCache<>(JobAdapter::trim, RunLabels::executionUid);
        var podFailures = new PodCreationFailures(job -> notifyStalled(jobs, job));
        addExecutor(JOB, new JobAdapter(pods, podFailures, clock), jobs);
        addPodFailureInformer(podFailures);
        if (tekton) {
            ResourceCache<TaskRun> taskRuns = new ResourceCache<>(TaskRun::trim);
            addInformer(TaskRun.class, taskRuns);
            addExecutor(
                    TEKTON,
                    new TektonAdapter(client, namespace, taskRuns, pods, clock),
                    new ResourceCache<>(PipelineRun::trim, RunLabels::executionUid));
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
            KubernetesClient client,
            String namespace,
            boolean tekton,
            String defaultExecutor,
            ParameterCheck parameters,
            InstantSource clock) {
        var service = new KubernetesRunnerService(client, namespace, tekton, defaultExecutor, parameters, clock);
        try {
            WatchHealth.startAll(service.informers);
            return service;
        } catch (RuntimeException failure) {
            service.close();
            throw failure;
        }
    }

    private <T extends HasMetadata> void addExecutor(String name, ExecutorAdapter<T> adapter, ResourceCache<T> cache) {
        addInformer(adapter.type(), cache);
        var writer = new ResourceWriter<>(client, adapter.type(), cache);
        executors.put(
                name, new KubernetesObjectRunner<>(namespace, adapter, writer, new ExecutorRefusals(clock), clock));
    }

    private <T extends HasMetadata> SharedIndexInformer<T> addInformer(Class<T> type, ResourceCache<T> cache) {
        // Not by the managed-by label: Tekton writes its own name there on its pods.
        var informer =
                cache.newInformer(client.resources(type).inNamespace(namespace).withLabel(RunLabels.EXECUTION_UID));
        informers.add(informer);
        return informer;
    }

    private void addPodFailureInformer(PodCreationFailures podFailures) {
        var events = client.v1()
                .events()
                .inNamespace(namespace)
                .withField("involvedObject.kind", HasMetadata.getKind(Job.class))
                .withField("reason", PodCreationFailures.REASON);
        informers.add(new ResourceCache<>(PodCreationFailures::trim)
                .newInformer(events)
                .addEventHandler(podFailures));
    }

    private void notifyStalled(ResourceCache<Job> jobs, ObjectReference job) {
        jobs.get(namespace, job.getName(), job.getUid())
                .ifPresent(run -> stalledListeners.forEach(listener -> listener.accept(run)));
    }

    /** Adds a listener for Jobs whose pod could not be created. It must not block or throw. */
    public void onStalled(Consumer<HasMetadata> listener) {
        stalledListeners.add(listener);
    }

    /** Returns the informers of runs, their tasks, their pods, and the Events about pods that cannot be created. */
    public List<SharedIndexInformer<? extends HasMetadata>> informers() {
        return List.copyOf(informers);
    }

    @Override
    public Optional<String> validate(Execution execution) {
        return findRunner(execution)
                .map(runner -> runner.validate(execution).or(() -> parameters.findProblem(execution.spec())))
                .orElseGet(() -> Optional.of(unknownExecutorMessage(execution)));
    }

    @Override
    public Preparation prepare(Execution execution) {
        return findRunner(execution)
                .map(runner -> runner.prepare(execution))
                .orElseGet(() ->
                        PreparationRefusals.of(RunEnd.INVALID, "", unknownExecutorMessage(execution), clock.instant()));
    }

    private Optional<KubernetesObjectRunner<?>> findRunner(Execution execution) {
        String executor = execution.spec().config().engine();
        return Optional.ofNullable(executors.get(executor.isEmpty() ? defaultExecutor : executor));
    }

    private String unknownExecutorMessage(Execution execution) {
        return "spec.executionConfig.engine is %s: this operator has %s; leave it out for %s"
                .formatted(
                        SafeText.quote(execution.spec().config().engine(), MAX_NAME_LENGTH),
                        String.join(" and ", executors.keySet()),
                        defaultExecutor);
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
    public void expire(RunRef run) {
        runnerOf(run).expire(run);
    }

    @Override
    public boolean removeStarted(RunRef run) {
        return runnerOf(run).removeStarted(run);
    }

    @Override
    public Withdrawal withdraw(RunRef run, String version, RunFacts facts) {
        return runnerOf(run).withdraw(run, version, facts);
    }

    @Override
    public boolean remove(RunRef run, String version) {
        return runnerOf(run).remove(run, version);
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        executors.values().forEach(runner -> runner.removeSuspended(execution));
    }

    @Override
    public List<TargetRun> findRuns(Target target) {
        return executors.values().stream()
                .flatMap(runner -> runner.findRuns(target).stream())
                .toList();
    }

    @Override
    public Optional<TargetRun> findActiveRun(ExecutionRef execution) {
        return executors.values().stream()
                .flatMap(runner -> runner.findActiveRun(execution).stream())
                .findFirst();
    }

    /** Returns how many runs are active. They need no recovery: the cluster runs them. */
    @Override
    public int recover(Predicate<ExecutionRef> owned) {
        return executors.values().stream()
                .mapToInt(runner -> new RunCleaner<>(runner).countRunning())
                .sum();
    }

    @Override
    public void deleteRunData(ExecutionRef execution) {
        executors.values().forEach(runner -> new RunCleaner<>(runner).deleteInactiveRuns(execution));
    }

    /** Returns the kubectl command that prints the output: the operator itself has no permission to read logs. */
    @Override
    public Chunk read(RunRef run, long from, int limit) {
        RunLocation location = RunLocation.of(run, namespace);
        String text = location.logCommand(labelSelector(run, location)) + System.lineSeparator();
        return from > 0 ? new Chunk("", from, true) : new Chunk(text, text.getBytes(UTF_8).length, true);
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
                                .formatted(run.name(), String.join(" and ", executors.keySet()))));
    }

    private Optional<KubernetesObjectRunner<?>> findRunner(RunRef run) {
        if (RunLocation.of(run, namespace).kind().isEmpty()) {
            return Optional.of(findRunnerByUid(run));
        }
        return executors.values().stream().filter(runner -> runner.owns(run)).findFirst();
    }

    /** Without the kind only the executor that has the run is certain. If none has it, each of them was asked. */
    private KubernetesObjectRunner<?> findRunnerByUid(RunRef run) {
        return executors.values().stream()
                .filter(runner -> runner.exists(run))
                .findFirst()
                .orElseGet(() -> Objects.requireNonNull(executors.get(defaultExecutor)));
    }

    /** Stops the watches. The runs continue. */
    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::close);
    }
}
