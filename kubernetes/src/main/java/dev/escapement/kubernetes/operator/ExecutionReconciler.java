package dev.escapement.kubernetes.operator;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.kubernetes.Troubles;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.View;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Carries one execution on when it appears, when somebody cancels it, or when its run changes. What was decided is
 * written by the engine; nothing is left for the framework to write. It never throws: trouble is tried again, quietly.
 */
final class ExecutionReconciler implements Reconciler<WorkflowExecution> {

    /** A look that changes something is followed by another one at once, at most so many times. */
    private static final int AT_ONCE = 5;

    /**
     * After so many refusals, within a few seconds, whoever asked for the execution should hear of it; and after as
     * many again, about once a minute, because the API server forgets what it was told.
     */
    private static final int PATIENCE = 6;

    private final View<WorkflowExecution> executions;
    private final Engine engine;
    private final Unreadable unreadable;
    private final SimpleInboundEventSource<WorkflowExecution> runs;
    private final InstantSource clock;
    private final BiConsumer<WorkflowExecution, String> heldUp;
    private final Attempts attempts = new Attempts();
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
    private final Troubles troubles = new Troubles("carrying executions on");

    /**
     * @param runs wakes executions when their runs change
     * @param heldUp hears of an execution that does not get on, and why
     */
    ExecutionReconciler(
            View<WorkflowExecution> executions,
            Engine engine,
            Unreadable unreadable,
            SimpleInboundEventSource<WorkflowExecution> runs,
            InstantSource clock,
            BiConsumer<WorkflowExecution, String> heldUp) {
        this.executions = executions;
        this.engine = engine;
        this.unreadable = unreadable;
        this.runs = runs;
        this.clock = clock;
        this.heldUp = heldUp;
    }

    @Override
    public List<EventSource<?, WorkflowExecution>> prepareEventSources(EventSourceContext<WorkflowExecution> context) {
        return List.of(runs);
    }

    /** Whether a change is somebody's wish. What we write ourselves must not wake us. */
    static boolean isWish(WorkflowExecution next, WorkflowExecution before) {
        return !Objects.equals(cancelledBy(next), cancelledBy(before))
                || next.isMarkedForDeletion() != before.isMarkedForDeletion()
                || !Objects.equals(
                        next.getMetadata().getGeneration(), before.getMetadata().getGeneration())
                || !Objects.equals(
                        next.getMetadata().getUid(), before.getMetadata().getUid());
    }

    private static Optional<String> cancelledBy(WorkflowExecution resource) {
        return Optional.ofNullable(resource.getMetadata().getAnnotations())
                .map((Map<String, String> all) -> all.get(ExecutionDocument.CANCELLED_BY));
    }

    @Override
    public UpdateControl<WorkflowExecution> reconcile(WorkflowExecution primary, Context<WorkflowExecution> context) {
        return look(ResourceID.fromResource(primary))
                .map(wait -> UpdateControl.<WorkflowExecution>noUpdate().rescheduleAfter(wait))
                .orElseGet(UpdateControl::noUpdate);
    }

    /** Returns how long until the next look; empty if something has to happen first. */
    Optional<Duration> look(ResourceID id) {
        String key = key(id);
        try {
            boolean settled = isSettled(id.getNamespace().orElse(""), id.getName());
            troubles.worked();
            if (!settled) {
                return Optional.of(attempts.again(key));
            }
            forget(key);
            return Optional.empty();
        } catch (RuntimeException trouble) {
            troubles.failed(key, trouble);
            // What came in between, such as a conflict, is neither a refusal nor the end of them.
            refusal(trouble)
                    .filter(said -> refusals.merge(key, 1, Integer::sum) % PATIENCE == 0)
                    .ifPresent(said -> tell(id, said));
            return Optional.of(attempts.failed(key));
        }
    }

    /** The watch has told that an execution is gone: another one of its name begins anew. */
    void deleted(WorkflowExecution resource) {
        forget(key(ResourceID.fromResource(resource)));
    }

    private void forget(String key) {
        attempts.done(key);
        refusals.remove(key);
    }

    private static String key(ResourceID id) {
        return id.getNamespace().orElse("") + "/" + id.getName();
    }

    /**
     * What an API server that is there has to say, such as that somebody's webhook does not answer. While it is away
     * everything is held up, and there is nobody to tell.
     */
    private static Optional<String> refusal(RuntimeException trouble) {
        return trouble instanceof KubernetesClientException said
                        && said.getCode() == HttpURLConnection.HTTP_INTERNAL_ERROR
                ? Optional.ofNullable(said.getStatus()).map(Status::getMessage)
                : Optional.empty();
    }

    private void tell(ResourceID id, String said) {
        executions.get(id.getNamespace().orElse(""), id.getName()).ifPresent(resource -> heldUp.accept(resource, said));
    }

    /** Looks as long as each look finds something new; false if it has to be looked at again without news. */
    private boolean isSettled(String namespace, String name) {
        String last = "";
        for (int look = 0; look < AT_ONCE; look++) {
            Optional<WorkflowExecution> newest = executions.get(namespace, name);
            if (newest.isEmpty()) {
                return true;
            }
            String version = newest.get().getMetadata().getResourceVersion();
            if (version.equals(last)) {
                return false;
            }
            last = version;
            if (advance(newest.get()) != Requeue.IMMEDIATELY) {
                return true;
            }
        }
        return false;
    }

    private Requeue advance(WorkflowExecution resource) {
        Versioned<Execution> seen;
        try {
            seen = ExecutionCodec.read(resource);
        } catch (IllegalArgumentException refused) {
            return unreadable
                    .refuse(resource, String.valueOf(refused.getMessage()))
                    .map(failed -> engine.advance(failed, clock.instant()))
                    .orElse(Requeue.NEVER);
        }
        return engine.advance(resource.isMarkedForDeletion() ? cancelled(seen) : seen, clock.instant());
    }

    /** Somebody has deleted it and somebody else keeps it from going: it must not start, nor go on. */
    private static Versioned<Execution> cancelled(Versioned<Execution> seen) {
        return seen.value().cancelledBy().isPresent()
                ? seen
                : new Versioned<>(seen.value().cancelledBy("its deletion"), seen.version());
    }
}
