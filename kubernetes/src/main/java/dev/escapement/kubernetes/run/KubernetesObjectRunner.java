package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.failure.HttpStatusClassifier;
import dev.escapement.governor.ledger.ExecutionRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Runs that are objects of one kind. The version of a run is its generation: executors write the status and the
 * annotations of a suspended run by themselves, and the generation moves with the specification only.
 *
 * <p>What is seen comes from the cache. The API server is asked where a mistake would count: before a run is called
 * missing, and before one is deleted.
 */
public final class KubernetesObjectRunner<T extends HasMetadata> implements WorkflowRunner {

    private static final int MAX_DELETE_ATTEMPTS = 5;
    private static final String STARTED_VERSION = "begun";

    private final String namespace;
    private final RunKind<T> kind;
    private final RunCache<T> cache;
    private final RunObjectClient<T> objectClient;
    private final InstantSource clock;

    /** Runs in one namespace. */
    public KubernetesObjectRunner(
            KubernetesClient client, String namespace, RunKind<T> kind, RunCache<T> cache, InstantSource clock) {
        this.namespace = namespace;
        this.kind = kind;
        this.cache = cache;
        this.objectClient = new RunObjectClient<>(client, namespace, kind.type(), cache);
        this.clock = clock;
    }

    /** Whether this is a run of this kind. */
    boolean owns(RunRef run) {
        return locationOf(run).kind().equals(kind.prefix());
    }

    @Override
    public Preparation prepare(Execution execution) {
        Optional<RunRejection> objection = kind.rejection(execution);
        if (objection.isPresent()) {
            return PreparationRefusals.of(objection.get(), clock.instant());
        }
        ObjectMeta metadata = RunLabels.newRunMetadata(execution, namespace);
        try {
            return toReady(objectClient.create(kind.newRun(execution, metadata)));
        } catch (KubernetesClientException refused) {
            return resolveRefusedCreate(execution, metadata.getName(), refused);
        }
    }

    /** The run is there already, or it cannot be. */
    private Preparation resolveRefusedCreate(Execution execution, String name, KubernetesClientException refused) {
        boolean exists = PreparationRefusals.isAlreadyExists(refused);
        if (!exists && HttpStatusClassifier.isTransient(refused.getCode())) {
            throw refused;
        }
        Optional<T> there = exists ? objectClient.fetch(name) : fetchUnlessForbidden(name);
        if (there.isEmpty()) {
            if (exists) {
                throw new IllegalStateException(
                        describe(name) + " was removed by others while it was being prepared: look again", refused);
            }
            return PreparationRefusals.of(refused, clock.instant());
        }
        T run = there.get();
        if (!RunLabels.executionUid(run).equals(execution.ref().uid())) {
            return PreparationRefusals.nameTaken(describe(name), clock.instant());
        }
        if (run.getMetadata().getDeletionTimestamp() != null) {
            throw new IllegalStateException(describe(name) + " is being deleted: look again when it is gone", refused);
        }
        cache.recordLatest(run);
        return toReady(run);
    }

    /**
     * The client repeats a request that got no answer. The first may have been carried out, and then the refusal of the
     * second says nothing: a quota, for one, may have been used up by the first.
     */
    private Optional<T> fetchUnlessForbidden(String name) {
        try {
            return objectClient.fetch(name);
        } catch (KubernetesClientException noLookEither) {
            if (HttpStatusClassifier.isTransient(noLookEither.getCode())) {
                throw noLookEither;
            }
            return Optional.empty();
        }
    }

    private Preparation toReady(T run) {
        return new Preparation.Ready(toRunRef(run), versionOf(run), kind.initialProgress());
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        return parseGeneration(version)
                .map(generation -> kind.startPatch(JsonPatch.of(run.uid()).test("/metadata/generation", generation))
                        .annotate(RunLabels.EPOCH, Long.toString(epoch)))
                .map(patch -> start(run, version, patch))
                .orElse(false);
    }

    private boolean start(RunRef run, String version, JsonPatch patch) {
        try {
            objectClient.patch(localNameOf(run), run.uid(), patch);
            return true;
        } catch (KubernetesClientException refused) {
            // The API server has one answer for a test that fails and for a change that it does not like.
            if (shouldRetryStart(run, version, refused)) {
                throw refused;
            }
            return false;
        }
    }

    private boolean shouldRetryStart(RunRef run, String version, KubernetesClientException refused) {
        return isTransientFailure(refused)
                || refresh(run).filter(found -> isSuspended(found, version)).isPresent();
    }

    @Override
    public Observation observe(RunRef run) {
        Optional<T> found = findCached(run).or(() -> refresh(run));
        return found.map(this::observe).orElseGet(Observation.Missing::new);
    }

    private Observation observe(T run) {
        return kind.isSuspended(run) ? new Observation.Suspended(versionOf(run)) : kind.observe(run);
    }

    @Override
    public void stop(RunRef run, String by) {
        if (findCached(run).or(() -> refresh(run)).filter(this::isStoppable).isEmpty()) {
            return;
        }
        try {
            objectClient.patch(localNameOf(run), run.uid(), kind.stopPatch(JsonPatch.of(run.uid()), by));
        } catch (KubernetesClientException refused) {
            if (isTransientFailure(refused)
                    || refresh(run).filter(this::isStoppable).isPresent()) {
                throw refused;
            }
        }
    }

    private boolean isStoppable(T run) {
        return !kind.isSuspended(run) && !kind.isFinished(run) && !kind.isStopping(run);
    }

    @Override
    public boolean remove(RunRef run, String version) {
        for (int i = 0; i < MAX_DELETE_ATTEMPTS; i++) {
            Optional<T> found = refresh(run).filter(seen -> isSuspended(seen, version));
            if (found.isEmpty()) {
                return false;
            }
            try {
                return objectClient.delete(found.get());
            } catch (KubernetesClientException refused) {
                if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw refused;
                }
            }
        }
        throw new IllegalStateException(run.name() + " changes faster than it can be removed: look again");
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        for (T run : cache.findByExecution(execution.uid())) {
            if (kind.isSuspended(run)) {
                remove(toRunRef(run), versionOf(run));
            }
        }
    }

    /** Removes the run of an execution that was deleted, unless it is going on. */
    void deleteInactiveRuns(ExecutionRef execution) {
        removeSuspended(execution);
        for (T run : cache.findByExecution(execution.uid())) {
            if (kind.isFinished(run)) {
                refresh(toRunRef(run)).filter(kind::isFinished).ifPresent(objectClient::delete);
            }
        }
    }

    /** How many runs are going on. */
    int countRunning() {
        return (int) cache.all()
                .filter(run -> !RunLabels.executionUid(run).isEmpty())
                .filter(run -> !kind.isSuspended(run) && !kind.isFinished(run))
                .count();
    }

    /** Whose run it is, as far as that is known without asking. */
    Optional<String> executionUid(RunRef run) {
        return findCached(run).map(RunLabels::executionUid);
    }

    private boolean isSuspended(T run, String version) {
        return kind.isSuspended(run) && versionOf(run).equals(version);
    }

    private Optional<T> findCached(RunRef run) {
        return objectClient.findCached(localNameOf(run), run.uid());
    }

    /** Certainly. */
    private Optional<T> refresh(RunRef run) {
        return objectClient.refresh(localNameOf(run), run.uid());
    }

    /** No answer about the run itself. */
    private static boolean isTransientFailure(KubernetesClientException refused) {
        int code = refused.getCode();
        return code != HttpURLConnection.HTTP_CONFLICT
                && code != HttpURLConnection.HTTP_NOT_FOUND
                && HttpStatusClassifier.isTransient(code);
    }

    private static Optional<Long> parseGeneration(String version) {
        try {
            return Optional.of(Long.valueOf(version));
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }

    /** A run elsewhere may go on, whatever is found here. */
    private String localNameOf(RunRef run) {
        RunLocation place = locationOf(run);
        if (!place.namespace().equals(namespace)) {
            throw new IllegalStateException(
                    ("run %s is in namespace %s, and this operator looks after the runs in %s: whether it goes on is not"
                                    + " known here, so its target stays held; let an operator with the"
                                    + " execution-namespace %s work until it has ended")
                            .formatted(run.name(), place.namespace(), namespace, place.namespace()));
        }
        return place.name();
    }

    private RunLocation locationOf(RunRef run) {
        return RunLocation.of(run, namespace);
    }

    private RunRef toRunRef(T run) {
        RunLocation place =
                new RunLocation(kind.prefix(), namespace, run.getMetadata().getName());
        return new RunRef(place.toReference(), uidOf(run));
    }

    private String describe(String name) {
        return "%s %s in namespace %s".formatted(kind.kindName(), name, namespace);
    }

    /** Only a run that may start has a version under which it could. */
    private String versionOf(T run) {
        return kind.isSuspended(run) ? String.valueOf(run.getMetadata().getGeneration()) : STARTED_VERSION;
    }

    private String uidOf(T run) {
        return run.getMetadata().getUid();
    }
}
