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
public final class KubernetesRuns implements RunnerService {

    /** The executor that makes PipelineRuns. */
    public static final String TEKTON = "tekton";

    /** The executor that makes Jobs. */
    public static final String JOB = "job";

    private static final int LONGEST_NAME = 60;

    private final String namespace;
    private final Map<String, ObjectRuns<?>> executors;
    private final String byDefault;
    private final InstantSource clock;

    /**
     * Runs of several executors.
     *
     * @param namespace where they live, for people who want their logs
     * @param executors by the name that an execution gives as its engine
     * @param byDefault the one for executions that name none
     */
    public KubernetesRuns(
            String namespace, Map<String, ObjectRuns<?>> executors, String byDefault, InstantSource clock) {
        this.namespace = namespace;
        this.executors = new TreeMap<>(executors);
        this.byDefault = byDefault;
        this.clock = clock;
        if (!executors.containsKey(byDefault)) {
            throw new IllegalArgumentException(
                    "the default executor is \"%s\": there are %s".formatted(byDefault, this.executors.keySet()));
        }
    }

    @Override
    public Preparation prepare(Execution execution) {
        String asked = execution.spec().config().engine();
        Optional<ObjectRuns<?>> executor = Optional.ofNullable(executors.get(asked.isEmpty() ? byDefault : asked));
        return executor.map(runs -> runs.prepare(execution))
                .orElseGet(() -> Refusals.of(Objection.noExecutor(unknown(asked)), clock.instant()));
    }

    private String unknown(String asked) {
        return "spec.executionConfig.engine is %s: this operator has %s; leave it out for %s"
                .formatted(SafeText.quote(asked, LONGEST_NAME), String.join(" and ", executors.keySet()), byDefault);
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        return of(run).start(run, version, epoch);
    }

    @Override
    public Observation observe(RunRef run) {
        return of(run).observe(run);
    }

    @Override
    public void stop(RunRef run, String by) {
        of(run).stop(run, by);
    }

    @Override
    public boolean remove(RunRef run, String version) {
        return of(run).remove(run, version);
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        executors.values().forEach(runs -> runs.removeSuspended(execution));
    }

    /** There is nothing to find again: the cluster runs them, whoever looks. */
    @Override
    public int recover(Predicate<ExecutionRef> ours) {
        return executors.values().stream().mapToInt(ObjectRuns::going).sum();
    }

    @Override
    public void deleteRunData(ExecutionRef execution) {
        executors.values().forEach(runs -> runs.forget(execution));
    }

    /** The operator has no right to read what others print; it says how somebody who has can. */
    @Override
    public Chunk read(RunRef run, long from, int limit) {
        RunPlace place = RunPlace.of(run, namespace);
        String text = "kubectl logs -n %s -l %s --all-containers --prefix --tail=-1%n"
                .formatted(place.namespace(), selector(run, place));
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        return from > 0 ? new Chunk("", from, true) : new Chunk(text, length, true);
    }

    private String selector(RunRef run, RunPlace place) {
        return executor(run)
                .filter(runs -> place.namespace().equals(namespace))
                .flatMap(runs -> runs.executionUid(run))
                .map(uid -> RunLabels.EXECUTION_UID + "=" + uid)
                .orElse(RunLabels.MANAGED_BY + "=" + RunLabels.ESCAPEMENT);
    }

    /** Without its executor nobody here can see a run. That it is gone would be a guess. */
    private ObjectRuns<?> of(RunRef run) {
        return executor(run)
                .orElseThrow(() -> new IllegalStateException(
                        ("run %s is of an executor that this operator does not have, only %s: whether it goes on is not"
                                        + " known here, so its target stays held; install what runs it, and start the"
                                        + " operator again")
                                .formatted(run.name(), String.join(" and ", executors.keySet()))));
    }

    private Optional<ObjectRuns<?>> executor(RunRef run) {
        return executors.values().stream()
                .filter(runs -> runs.has(run))
                .<ObjectRuns<?>>map(runs -> runs)
                .findFirst();
    }

    /** The watches belong to whoever started them. */
    @Override
    public void close() {}
}
