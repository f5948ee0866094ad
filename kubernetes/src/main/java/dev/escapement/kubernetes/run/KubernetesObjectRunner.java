package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.HttpStatusClassifier;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.run.ExecutorAdapter.JsonPatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Runs workflows as objects of one adapter. The version of a run is its generation: executors update the status and the
 * annotations of a suspended run, but only a change of the spec changes the generation.
 *
 * <p>Reads come from the cache. The API server is asked where a stale read would do harm: before a run counts as
 * missing and before one is deleted.
 *
 * @param namespace of the runs
 * @param refusals since when requests fail
 */
public record KubernetesObjectRunner<T extends HasMetadata>(
        String namespace,
        ExecutorAdapter<T> adapter,
        ResourceWriter<T> writer,
        ExecutorRefusals refusals,
        InstantSource clock)
        implements WorkflowRunner {

    private static final int MAX_DELETE_ATTEMPTS = 5;
    private static final String STARTED_VERSION = "begun";
    private static final String GENERATION = "[0-9]{1,18}";

    boolean owns(RunRef run) {
        return RunLocation.of(run, namespace).kind().equals(adapter.prefix());
    }

    @Override
    public Preparation prepare(Execution execution) {
        Optional<String> problem = validate(execution);
        if (problem.isPresent()) {
            return PreparationRefusals.of(RunEnd.INVALID, "", problem.get(), clock.instant());
        }
        return new RunCreator<>(this).create(execution);
    }

    @Override
    public Optional<String> validate(Execution execution) {
        var spec = execution.spec();
        if (spec.workflow().pinnedImage().isEmpty()) {
            return Optional.of(
                    "workflow %s has no %s".formatted(execution.workflowId(), adapter.missingImageMessage()));
        }
        return spec.workflow()
                .digestConflict()
                .or(() -> spec.workflow().imageProblem())
                .or(() -> adapter.findInvalidParameter(spec));
    }

    Preparation toReady(T run) {
        return new Preparation.Ready(toRunRef(run), versionOf(run), adapter.initialProgress());
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        if (!version.matches(GENERATION)) {
            return false;
        }
        JsonPatch unchanged = JsonPatch.of(run.uid()).test("/metadata/generation", Long.valueOf(version));
        try {
            patch(
                    run,
                    adapter.startPatch(unchanged)
                            .annotate(RunLabels.EPOCH, Long.toString(epoch))
                            .annotate(RunLabels.STARTED_AT, clock.instant().toString()));
            refusals.forget(run);
            return true;
        } catch (KubernetesClientException refused) {
            // The API server answers a failed test and a forbidden change alike: with an error of the client.
            if (isTransientFailure(refused)
                    || refresh(run).filter(found -> isSuspended(found, version)).isPresent()) {
                throw refusals.unavailable(run, refused);
            }
            refusals.forget(run);
            return false;
        }
    }

    @Override
    public Observation observe(RunRef run) {
        Optional<T> found = findCached(run).or(() -> refresh(run));
        return found.map(this::observe).orElseGet(Observation.Missing::new);
    }

    Observation observe(T run) {
        if (adapter.isSuspended(run)) {
            return new Observation.Suspended(versionOf(run));
        }
        Optional<WithdrawnRun> withdrawn = WithdrawnRun.of(run);
        if (withdrawn.isPresent() && !hasRunAnything(run, withdrawn.get())) {
            return new Observation.Failed(withdrawn.get().facts());
        }
        Observation observed = adapter.observe(run);
        return observed instanceof Observation.Running running ? withLimits(run, running) : observed;
    }

    /** What is left of a run that its executor has ended must stop as if that had been requested at its end. */
    private Observation withLimits(T run, Observation.Running running) {
        Optional<Instant> failedAt = adapter.failedAt(run);
        return new Observation.Running(
                running.progress(),
                failedAt.or(() -> adapter.deadline(run)),
                RunLabels.stopRequestedAt(run).or(() -> failedAt),
                running.checkAt());
    }

    /**
     * Returns whether anything was created for a withdrawn run. An executor that has just returned may still act on
     * what it read before, so this is certain only some time after the withdrawal.
     */
    private boolean hasRunAnything(T run, WithdrawnRun withdrawn) {
        if (clock.instant().isBefore(withdrawn.time().plus(PodLookup.MAX_WATCH_LAG))) {
            throw new IllegalStateException("%s was withdrawn a moment ago, will look again whether anything of it ran"
                    .formatted(describe(run.getMetadata().getName())));
        }
        return adapter.hasChildren(run);
    }

    @Override
    public void stop(RunRef run, String by) {
        new RunStopper<>(this).requestStop(run, patch -> patch.annotate(RunLabels.CANCELLED_BY, by));
    }

    @Override
    public void expire(RunRef run) {
        new RunStopper<>(this).requestStop(run, RunLabels::markExpired);
    }

    @Override
    public boolean removeStarted(RunRef run) {
        return new RunStopper<>(this).removeStarted(run);
    }

    @Override
    public Withdrawal withdraw(RunRef run, String version, RunFacts facts) {
        return new RunStopper<>(this).withdraw(run, version, facts);
    }

    @Override
    public boolean remove(RunRef run, String version) {
        return removeUnderVersion(run, found -> isSuspended(found, version));
    }

    /** Removes the run as it is now on the API server, if it passes the check. Returns whether it was removed. */
    boolean removeUnderVersion(RunRef run, Predicate<T> check) {
        for (int i = 0; i < MAX_DELETE_ATTEMPTS; i++) {
            Optional<T> found = refresh(run).filter(check);
            if (found.isEmpty()) {
                return false;
            }
            try {
                return writer.delete(found.get());
            } catch (KubernetesClientException refused) {
                if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw refused;
                }
            }
        }
        throw new IllegalStateException("run " + run.name() + " changes faster than it can be removed, will retry");
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        for (T run : writer.cache().findByOwner(execution.uid())) {
            if (adapter.isSuspended(run)) {
                remove(toRunRef(run), versionOf(run));
            }
        }
    }

    @Override
    public List<TargetRun> findRuns(Target target) {
        return new TargetRunFinder<>(this).findRuns(target);
    }

    @Override
    public Optional<TargetRun> findActiveRun(ExecutionRef execution) {
        return new TargetRunFinder<>(this).findActiveRun(execution);
    }

    /** Returns whether there is a run of this kind with that uid; asks the API server if the cache has none. */
    boolean exists(RunRef run) {
        return findCached(run).or(() -> refresh(run)).isPresent();
    }

    /** Returns the uid of the execution of a run if the cache has the run. */
    Optional<String> executionUid(RunRef run) {
        return findCached(run).map(RunLabels::executionUid);
    }

    private boolean isSuspended(T run, String version) {
        return adapter.isSuspended(run) && versionOf(run).equals(version);
    }

    Optional<T> findCached(RunRef run) {
        return writer.cache().get(namespace, localNameOf(run), run.uid());
    }

    /** Reads the run from the API server. */
    Optional<T> refresh(RunRef run) {
        return writer.refresh(namespace, localNameOf(run))
                .filter(found -> found.getMetadata().getUid().equals(run.uid()));
    }

    /** A cached run is passed to the client, because the client would read it first otherwise. */
    void patch(RunRef run, JsonPatch patch) {
        Resource<T> resource = findCached(run)
                .<Resource<T>>map(writer.client()::resource)
                .orElseGet(() -> writer.resource(namespace, localNameOf(run)));
        writer.cache().recordLatest(resource.patch(PatchContext.of(PatchType.JSON), patch.toJson()));
    }

    /** Whether the failure says nothing about the run itself. */
    static boolean isTransientFailure(KubernetesClientException refused) {
        int code = refused.getCode();
        return code != HttpURLConnection.HTTP_CONFLICT
                && code != HttpURLConnection.HTTP_NOT_FOUND
                && HttpStatusClassifier.isTransient(code);
    }

    /**
     * Returns the name of a run in this namespace. The state of a run in another namespace is unknown here.
     *
     * @throws IllegalStateException if it is in another namespace
     */
    private String localNameOf(RunRef run) {
        RunLocation location = RunLocation.of(run, namespace);
        if (!location.namespace().equals(namespace)) {
            throw new IllegalStateException(
                    ("run %s is in namespace %s, but this operator manages only runs in %s: its state is unknown, so its"
                                    + " target stays locked; start an operator with execution-namespace %s until the"
                                    + " run has finished")
                            .formatted(run.name(), location.namespace(), namespace, location.namespace()));
        }
        return location.name();
    }

    RunRef toRunRef(T run) {
        var meta = run.getMetadata();
        return new RunRef(new RunLocation(adapter.prefix(), namespace, meta.getName()).toReference(), meta.getUid());
    }

    String describe(String name) {
        return "%s %s in namespace %s".formatted(adapter.kindName(), name, namespace);
    }

    /** Returns the version under which a suspended run can be started; a started run has none. */
    String versionOf(T run) {
        return adapter.isSuspended(run) ? String.valueOf(run.getMetadata().getGeneration()) : STARTED_VERSION;
    }
}
