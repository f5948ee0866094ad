package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.SafeText;
import dev.escapement.governor.ledger.ExecutionRef;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The runs of an operator: each execution says which executor it wants, or takes the default. */
public final class KubernetesRunnerService implements RunnerService {

    /** The executor that makes PipelineRuns. */
    public static final String TEKTON = "tekton";

    /** The executor that makes Jobs. */
    public static final String JOB = "job";

    private static final int MAX_NAME_LENGTH = 60;

    private final String namespace;
    private final Map<String, KubernetesObjectRunner<?>> runnersByExecutor;
    private final String defaultExecutor;
    private final InstantSource clock;

    /**
     * Runs of several executors.
     *
     * @param namespace where they live, for people who want their logs
     * @param executors by the name that an execution gives as its engine
     * @param byDefault the one for executions that name none
     */
    public KubernetesRunnerService(
            String namespace, Map<String, KubernetesObjectRunner<?>> executors, String byDefault, InstantSource clock) {
        this.namespace = namespace;
        this.runnersByExecutor = new TreeMap<>(executors);
        this.defaultExecutor = byDefault;
        this.clock = clock;
        if (!executors.containsKey(byDefault)) {
            throw new IllegalArgumentException("the default executor is \"%s\": there are %s"
                    .formatted(byDefault, this.runnersByExecutor.keySet()));
        }
    }

    @Override
    public Preparation prepare(Execution execution) {
        String asked = execution.spec().config().engine();
        Optional<KubernetesObjectRunner<?>> executor =
                Optional.ofNullable(runnersByExecutor.get(asked.isEmpty() ? defaultExecutor : asked));
        return executor.map(runs -> runs.prepare(execution))
                .orElseGet(() -> PreparationRefusals.of(
                        RunRejection.executorNotFound(unknownExecutorMessage(asked)), clock.instant()));
    }

    private String unknownExecutorMessage(String asked) {
        return "spec.executionConfig.engine is %s: this operator has %s; leave it out for %s"
                .formatted(
                        SafeText.quote(asked, MAX_NAME_LENGTH),
                        String.join(" and ", runnersByExecutor.keySet()),
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
    public boolean remove(RunRef run, String version) {
        return runnerOf(run).remove(run, version);
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        runnersByExecutor.values().forEach(runs -> runs.removeSuspended(execution));
    }

    /** There is nothing to find again: the cluster runs them, whoever looks. */
    @Override
    public int recover(Predicate<ExecutionRef> ours) {
        return runnersByExecutor.values().stream()
                .mapToInt(KubernetesObjectRunner::countRunning)
                .sum();
    }

    @Override
    public void deleteRunData(ExecutionRef execution) {
        runnersByExecutor.values().forEach(runs -> runs.deleteInactiveRuns(execution));
    }

    /** The operator has no right to read what others print; it says how somebody who has can. */
    @Override
    public Chunk read(RunRef run, long from, int limit) {
        RunLocation place = RunLocation.of(run, namespace);
        String text = "kubectl logs -n %s -l %s --all-containers --prefix --tail=-1%n"
                .formatted(place.namespace(), labelSelector(run, place));
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        return from > 0 ? new Chunk("", from, true) : new Chunk(text, length, true);
    }

    private String labelSelector(RunRef run, RunLocation place) {
        return findRunner(run)
                .filter(runs -> place.namespace().equals(namespace))
                .flatMap(runs -> runs.executionUid(run))
                .map(uid -> RunLabels.EXECUTION_UID + "=" + uid)
                .orElse(RunLabels.MANAGED_BY + "=" + RunLabels.ESCAPEMENT);
    }

    /** Without its executor nobody here can see a run. That it is gone would be a guess. */
    private KubernetesObjectRunner<?> runnerOf(RunRef run) {
        return findRunner(run)
                .orElseThrow(() -> new IllegalStateException(
                        ("run %s is of an executor that this operator does not have, only %s: whether it goes on is not"
                                        + " known here, so its target stays held; install what runs it, and start the"
                                        + " operator again")
                                .formatted(run.name(), String.join(" and ", runnersByExecutor.keySet()))));
    }

    private Optional<KubernetesObjectRunner<?>> findRunner(RunRef run) {
        return runnersByExecutor.values().stream()
                .filter(runs -> runs.owns(run))
                .<KubernetesObjectRunner<?>>map(runs -> runs)
                .findFirst();
    }

    /** The watches belong to whoever started them. */
    @Override
    public void close() {}
}
