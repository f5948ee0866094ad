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
public final class ObjectRuns<T extends HasMetadata> implements WorkflowRunner {

    private static final int MOST_TRIES = 5;
    private static final String BEGUN = "begun";

    private final String namespace;
    private final RunKind<T> kind;
    private final RunCache<T> cache;
    private final RunObjects<T> objects;
    private final InstantSource clock;

    /** Runs in one namespace. */
    public ObjectRuns(
            KubernetesClient client, String namespace, RunKind<T> kind, RunCache<T> cache, InstantSource clock) {
        this.namespace = namespace;
        this.kind = kind;
        this.cache = cache;
        this.objects = new RunObjects<>(client, namespace, kind.type(), cache);
        this.clock = clock;
    }

    /** Whether this is a run of this kind. */
    boolean has(RunRef run) {
        return place(run).kind().equals(kind.prefix());
    }

    @Override
    public Preparation prepare(Execution execution) {
        Optional<Objection> objection = kind.objection(execution);
        if (objection.isPresent()) {
            return Refusals.of(objection.get(), clock.instant());
        }
        ObjectMeta metadata = RunLabels.metadata(execution, namespace);
        try {
            return ready(objects.create(kind.make(execution, metadata)));
        } catch (KubernetesClientException refused) {
            return prepared(execution, metadata.getName(), refused);
        }
    }

    /** The run is there already, or it cannot be. */
    private Preparation prepared(Execution execution, String name, KubernetesClientException refused) {
        boolean exists = Refusals.alreadyExists(refused);
        if (!exists && HttpStatusClassifier.isTransient(refused.getCode())) {
            throw refused;
        }
        Optional<T> there = exists ? objects.fetch(name) : unansweredBefore(name);
        if (there.isEmpty()) {
            if (exists) {
                throw new IllegalStateException(
                        title(name) + " was removed by others while it was being prepared: look again", refused);
            }
            return Refusals.of(refused, clock.instant());
        }
        T run = there.get();
        if (!RunLabels.executionUid(run).equals(execution.ref().uid())) {
            return Refusals.taken(title(name), clock.instant());
        }
        if (run.getMetadata().getDeletionTimestamp() != null) {
            throw new IllegalStateException(title(name) + " is being deleted: look again when it is gone", refused);
        }
        cache.learned(run);
        return ready(run);
    }

    /**
     * The client repeats a request that got no answer. The first may have been carried out, and then the refusal of the
     * second says nothing: a quota, for one, may have been used up by the first.
     */
    private Optional<T> unansweredBefore(String name) {
        try {
            return objects.fetch(name);
        } catch (KubernetesClientException noLookEither) {
            if (HttpStatusClassifier.isTransient(noLookEither.getCode())) {
                throw noLookEither;
            }
            return Optional.empty();
        }
    }

    private Preparation ready(T run) {
        return new Preparation.Ready(refOf(run), version(run), kind.prepared());
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        return generation(version)
                .map(generation -> kind.start(JsonPatch.of(run.uid()).test("/metadata/generation", generation))
                        .annotate(RunLabels.EPOCH, Long.toString(epoch)))
                .map(patch -> start(run, version, patch))
                .orElse(false);
    }

    private boolean start(RunRef run, String version, JsonPatch patch) {
        try {
            objects.patch(nameOf(run), run.uid(), patch);
            return true;
        } catch (KubernetesClientException refused) {
            // The API server has one answer for a test that fails and for a change that it does not like.
            if (mayStart(run, version, refused)) {
                throw refused;
            }
            return false;
        }
    }

    private boolean mayStart(RunRef run, String version, KubernetesClientException refused) {
        return isTrouble(refused)
                || look(run).filter(found -> isSuspended(found, version)).isPresent();
    }

    @Override
    public Observation observe(RunRef run) {
        Optional<T> found = cached(run).or(() -> look(run));
        return found.map(this::observe).orElseGet(Observation.Missing::new);
    }

    private Observation observe(T run) {
        return kind.isSuspended(run) ? new Observation.Suspended(version(run)) : kind.observe(run);
    }

    @Override
    public void stop(RunRef run, String by) {
        if (cached(run).or(() -> look(run)).filter(this::canBeStopped).isEmpty()) {
            return;
        }
        try {
            objects.patch(nameOf(run), run.uid(), kind.stop(JsonPatch.of(run.uid()), by));
        } catch (KubernetesClientException refused) {
            if (isTrouble(refused) || look(run).filter(this::canBeStopped).isPresent()) {
                throw refused;
            }
        }
    }

    private boolean canBeStopped(T run) {
        return !kind.isSuspended(run) && !kind.isOver(run) && !kind.isStopping(run);
    }

    @Override
    public boolean remove(RunRef run, String version) {
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<T> found = look(run).filter(seen -> isSuspended(seen, version));
            if (found.isEmpty()) {
                return false;
            }
            try {
                return objects.delete(found.get());
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
        for (T run : cache.ofExecution(execution.uid())) {
            if (kind.isSuspended(run)) {
                remove(refOf(run), version(run));
            }
        }
    }

    /** Removes the run of an execution that was deleted, unless it is going on. */
    void forget(ExecutionRef execution) {
        removeSuspended(execution);
        for (T run : cache.ofExecution(execution.uid())) {
            if (kind.isOver(run)) {
                look(refOf(run)).filter(kind::isOver).ifPresent(objects::delete);
            }
        }
    }

    /** How many runs are going on. */
    int going() {
        return (int) cache.all()
                .filter(run -> !RunLabels.executionUid(run).isEmpty())
                .filter(run -> !kind.isSuspended(run) && !kind.isOver(run))
                .count();
    }

    /** Whose run it is, as far as that is known without asking. */
    Optional<String> executionUid(RunRef run) {
        return cached(run).map(RunLabels::executionUid);
    }

    private boolean isSuspended(T run, String version) {
        return kind.isSuspended(run) && version(run).equals(version);
    }

    private Optional<T> cached(RunRef run) {
        return objects.cached(nameOf(run), run.uid());
    }

    /** Certainly. */
    private Optional<T> look(RunRef run) {
        return objects.look(nameOf(run), run.uid());
    }

    /** No answer about the run itself. */
    private static boolean isTrouble(KubernetesClientException refused) {
        int code = refused.getCode();
        return code != HttpURLConnection.HTTP_CONFLICT
                && code != HttpURLConnection.HTTP_NOT_FOUND
                && HttpStatusClassifier.isTransient(code);
    }

    private static Optional<Long> generation(String version) {
        try {
            return Optional.of(Long.valueOf(version));
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }

    /** A run elsewhere may go on, whatever is found here. */
    private String nameOf(RunRef run) {
        RunPlace place = place(run);
        if (!place.namespace().equals(namespace)) {
            throw new IllegalStateException(
                    ("run %s is in namespace %s, and this operator looks after the runs in %s: whether it goes on is not"
                                    + " known here, so its target stays held; let an operator with the"
                                    + " execution-namespace %s work until it has ended")
                            .formatted(run.name(), place.namespace(), namespace, place.namespace()));
        }
        return place.name();
    }

    private RunPlace place(RunRef run) {
        return RunPlace.of(run, namespace);
    }

    private RunRef refOf(T run) {
        RunPlace place =
                new RunPlace(kind.prefix(), namespace, run.getMetadata().getName());
        return new RunRef(place.reference(), uidOf(run));
    }

    private String title(String name) {
        return "%s %s in namespace %s".formatted(kind.title(), name, namespace);
    }

    /** Only a run that may start has a version under which it could. */
    private String version(T run) {
        return kind.isSuspended(run) ? String.valueOf(run.getMetadata().getGeneration()) : BEGUN;
    }

    private String uidOf(T run) {
        return run.getMetadata().getUid();
    }
}
