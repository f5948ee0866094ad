package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.failure.HttpStatusClassifier;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.run.ExecutorAdapter.JsonPatch;
import dev.escapement.kubernetes.run.KubernetesRunnerService.RunLocation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Runs workflows as objects of one adapter. The version of a run is its generation: executors update the status and the
 * annotations of a suspended run, but only a change of the spec changes the generation.
 *
 * <p>Reads come from the cache. The API server is asked where a stale read would do harm: before a run counts as
 * missing and before one is deleted.
 *
 * @param namespace of the runs
 */
public record KubernetesObjectRunner<T extends HasMetadata>(
        String namespace, ExecutorAdapter<T> adapter, ResourceWriter<T> writer, InstantSource clock)
        implements WorkflowRunner {

    private static final int MAX_DELETE_ATTEMPTS = 5;
    private static final String STARTED_VERSION = "begun";
    private static final String GENERATION = "[0-9]{1,18}";

    boolean owns(RunRef run) {
        return RunLocation.of(run, namespace).kind().equals(adapter.prefix());
    }

    @Override
    public Preparation prepare(Execution execution) {
        Optional<Preparation> rejection = rejection(execution);
        if (rejection.isPresent()) {
            return rejection.get();
        }
        var metadata = RunLabels.newRunMetadata(execution, namespace);
        try {
            return toReady(writer.create(adapter.newRun(execution.spec(), metadata)));
        } catch (KubernetesClientException refused) {
            return resolveRefusedCreate(execution, metadata.getName(), refused);
        }
    }

    private Optional<Preparation> rejection(Execution execution) {
        var spec = execution.spec();
        if (spec.workflow().pinnedImage().isEmpty()) {
            String problem = "workflow %s has no %s".formatted(execution.workflowId(), adapter.missingImageMessage());
            return Optional.of(PreparationRefusals.of(RunEnd.REFUSED, "WorkflowNotFound", problem, clock.instant()));
        }
        return spec.workflow()
                .digestConflict()
                .or(() -> adapter.findInvalidParameter(spec))
                .map(problem -> PreparationRefusals.of(RunEnd.INVALID, "", problem, clock.instant()));
    }

    /** Adopts the run if it exists; otherwise returns the refusal. */
    private Preparation resolveRefusedCreate(Execution execution, String name, KubernetesClientException refused) {
        boolean exists = PreparationRefusals.isAlreadyExists(refused);
        if (!exists && HttpStatusClassifier.isTransient(refused.getCode())) {
            throw refused;
        }
        Optional<T> existing = exists ? writer.fetch(namespace, name) : fetchUnlessForbidden(name);
        if (existing.isEmpty()) {
            if (exists) {
                throw new IllegalStateException(
                        describe(name) + " was removed by another client while it was being prepared, will retry",
                        refused);
            }
            return PreparationRefusals.of(refused, clock.instant());
        }
        T run = existing.get();
        if (!RunLabels.executionUid(run).equals(execution.ref().uid())) {
            return PreparationRefusals.nameTaken(describe(name), clock.instant());
        }
        if (run.getMetadata().getDeletionTimestamp() != null) {
            throw new IllegalStateException(describe(name) + " is being deleted, will retry when it is gone", refused);
        }
        writer.cache().recordLatest(run);
        return toReady(run);
    }

    /**
     * Reads the run after its creation was refused: the client repeats a request without a response, so the first
     * request may have created the run and, for example, used up the quota that refuses the second.
     */
    private Optional<T> fetchUnlessForbidden(String name) {
        try {
            return writer.fetch(namespace, name);
        } catch (KubernetesClientException e) {
            if (HttpStatusClassifier.isTransient(e.getCode())) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private Preparation toReady(T run) {
        return new Preparation.Ready(toRunRef(run), versionOf(run), adapter.initialProgress());
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        if (!version.matches(GENERATION)) {
            return false;
        }
        JsonPatch unchanged = JsonPatch.of(run.uid()).test("/metadata/generation", Long.valueOf(version));
        try {
            patch(run, adapter.startPatch(unchanged).annotate(RunLabels.EPOCH, Long.toString(epoch)));
            return true;
        } catch (KubernetesClientException refused) {
            // The API server answers a failed test and an invalid change with the same status.
            if (isTransientFailure(refused)
                    || refresh(run).filter(found -> isSuspended(found, version)).isPresent()) {
                throw refused;
            }
            return false;
        }
    }

    @Override
    public Observation observe(RunRef run) {
        Optional<T> found = findCached(run).or(() -> refresh(run));
        return found.map(this::observe).orElseGet(Observation.Missing::new);
    }

    private Observation observe(T run) {
        return adapter.isSuspended(run) ? new Observation.Suspended(versionOf(run)) : adapter.observe(run);
    }

    @Override
    public void stop(RunRef run, String by) {
        if (findCached(run).or(() -> refresh(run)).filter(this::isStoppable).isEmpty()) {
            return;
        }
        try {
            patch(run, adapter.stopPatch(JsonPatch.of(run.uid()), by));
        } catch (KubernetesClientException refused) {
            if (isTransientFailure(refused)
                    || refresh(run).filter(this::isStoppable).isPresent()) {
                throw refused;
            }
        }
    }

    private boolean isStoppable(T run) {
        return !adapter.isSuspended(run) && !adapter.isFinished(run) && !adapter.isStopping(run);
    }

    @Override
    public boolean remove(RunRef run, String version) {
        for (int i = 0; i < MAX_DELETE_ATTEMPTS; i++) {
            Optional<T> found = refresh(run).filter(seen -> isSuspended(seen, version));
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

    /** Deletes the runs of a deleted execution, except those that are running. */
    void deleteInactiveRuns(ExecutionRef execution) {
        removeSuspended(execution);
        for (T run : writer.cache().findByOwner(execution.uid())) {
            if (adapter.isFinished(run)) {
                refresh(toRunRef(run)).filter(adapter::isFinished).ifPresent(writer::delete);
            }
        }
    }

    int countRunning() {
        return (int) writer.cache()
                .all()
                .filter(run -> !RunLabels.executionUid(run).isEmpty())
                .filter(run -> !adapter.isSuspended(run) && !adapter.isFinished(run))
                .count();
    }

    /** Returns the uid of the execution of a run if the cache has the run. */
    Optional<String> executionUid(RunRef run) {
        return findCached(run).map(RunLabels::executionUid);
    }

    private boolean isSuspended(T run, String version) {
        return adapter.isSuspended(run) && versionOf(run).equals(version);
    }

    private Optional<T> findCached(RunRef run) {
        return writer.cache().get(namespace, localNameOf(run), run.uid());
    }

    /** Reads the run from the API server. */
    private Optional<T> refresh(RunRef run) {
        return writer.refresh(namespace, localNameOf(run))
                .filter(found -> found.getMetadata().getUid().equals(run.uid()));
    }

    /** A cached run is passed to the client, because the client would read it first otherwise. */
    private void patch(RunRef run, JsonPatch patch) {
        Resource<T> resource = findCached(run)
                .<Resource<T>>map(writer.client()::resource)
                .orElseGet(() -> writer.resource(namespace, localNameOf(run)));
        writer.cache().recordLatest(resource.patch(PatchContext.of(PatchType.JSON), patch.toJson()));
    }

    /** Whether the failure says nothing about the run itself. */
    private static boolean isTransientFailure(KubernetesClientException refused) {
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

    private RunRef toRunRef(T run) {
        var meta = run.getMetadata();
        return new RunRef(new RunLocation(adapter.prefix(), namespace, meta.getName()).toReference(), meta.getUid());
    }

    private String describe(String name) {
        return "%s %s in namespace %s".formatted(adapter.kindName(), name, namespace);
    }

    /** Returns the version under which a suspended run can be started; a started run has none. */
    private String versionOf(T run) {
        return adapter.isSuspended(run) ? String.valueOf(run.getMetadata().getGeneration()) : STARTED_VERSION;
    }
}
