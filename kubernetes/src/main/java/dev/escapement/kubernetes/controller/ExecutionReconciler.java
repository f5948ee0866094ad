package dev.escapement.kubernetes.controller;

import dev.escapement.api.ApiGroup;
import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutorUnavailableException;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles one execution when it is created, when a user changes it, or when its run changes. */
final class ExecutionReconciler {

    /**
     * After this many refusals, which take a few seconds, the author of the execution gets a warning; then after as
     * many again, about once a minute, because the API server forgets Events.
     */
    private static final int REFUSALS_PER_WARNING = 6;

    private static final Logger LOG = LoggerFactory.getLogger(ExecutionReconciler.class);

    private final ResourceCache<WorkflowExecutionResource> executions;
    private final Engine engine;
    private final InvalidExecutionHandler invalidExecutionHandler;
    private final InstantSource clock;
    private final BiConsumer<WorkflowExecutionResource, String> heldUpListener;
    private final Map<String, Integer> refusalsByUid = new ConcurrentHashMap<>();

    /** @param heldUpListener receives an execution that the API server keeps refusing, and its message */
    ExecutionReconciler(
            ResourceCache<WorkflowExecutionResource> executions,
            Engine engine,
            InvalidExecutionHandler invalidExecutionHandler,
            InstantSource clock,
            BiConsumer<WorkflowExecutionResource, String> heldUpListener) {
        this.executions = executions;
        this.engine = engine;
        this.invalidExecutionHandler = invalidExecutionHandler;
        this.clock = clock;
        this.heldUpListener = heldUpListener;
    }

    /** Returns whether a change was made by a user. Our own writes must not cause another reconciliation. */
    static boolean isUserChange(WorkflowExecutionResource next, WorkflowExecutionResource before) {
        var after = next.getMetadata();
        var old = before.getMetadata();
        return !RunLabels.annotation(next, ApiGroup.CANCELLED_BY)
                        .equals(RunLabels.annotation(before, ApiGroup.CANCELLED_BY))
                || next.isMarkedForDeletion() != before.isMarkedForDeletion()
                || !Objects.equals(after.getGeneration(), old.getGeneration())
                || !Objects.equals(after.getUid(), old.getUid());
    }

    /** Returns whether another client removed the status of an execution. */
    static boolean hasLostStatus(WorkflowExecutionResource next, WorkflowExecutionResource before) {
        return next.phase().isEmpty()
                && before.phase().isPresent()
                && Objects.equals(
                        next.getMetadata().getUid(), before.getMetadata().getUid());
    }

    /** Writes the status that an execution had before another client removed it, so that it cannot run again. */
    WorkResult restoreStatus(WorkflowExecutionResource before, WorkflowExecutionResource after) {
        Optional<ExecutionStatus> lost =
                before.readValid().map(seen -> seen.value().status());
        Optional<Versioned<Execution>> current = after.readValid();
        if (lost.isPresent() && current.isPresent()) {
            LOG.warn(
                    "Execution {} has lost its status and gets it back: {}",
                    after.ref(),
                    lost.get().phase());
            // On a conflict there is a newer version, which is reconciled itself.
            engine.store().apply(List.of(new StoreWrite.StatusUpdate(current.get(), lost.get())));
        }
        return reconcile(after.ref());
    }

    WorkResult reconcile(ExecutionRef ref) {
        Optional<WorkflowExecutionResource> found = executions.get(ref.namespace(), ref.name(), ref.uid());
        try {
            Requeue next = found.map(this::advance).orElse(Requeue.NEVER);
            if (next != Requeue.IMMEDIATELY) {
                refusalsByUid.remove(ref.uid());
            }
            return next.toWorkResult(clock.instant());
        } catch (KubernetesClientException | ExecutorUnavailableException failure) {
            found.ifPresent(resource -> refusalMessage(failure)
                    .filter(message -> refusalsByUid.merge(ref.uid(), 1, Integer::sum) % REFUSALS_PER_WARNING == 0)
                    .ifPresent(message -> heldUpListener.accept(resource, message)));
            throw failure;
        }
    }

    /**
     * Returns the message of an API server that answers: a webhook that does not, or a change that is forbidden. A
     * conflict is gone at the next attempt.
     */
    private static Optional<String> refusalMessage(RuntimeException failure) {
        Throwable cause = failure instanceof ExecutorUnavailableException ? failure.getCause() : failure;
        return cause instanceof KubernetesClientException refused
                        && refused.getCode() >= HttpURLConnection.HTTP_BAD_REQUEST
                        && refused.getCode() <= HttpURLConnection.HTTP_INTERNAL_ERROR
                        && refused.getCode() != HttpURLConnection.HTTP_CONFLICT
                ? Optional.ofNullable(refused.getStatus()).map(Status::getMessage)
                : Optional.empty();
    }

    private Requeue advance(WorkflowExecutionResource resource) {
        Versioned<Execution> seen;
        try {
            seen = resource.read();
        } catch (IllegalArgumentException invalid) {
            return invalidExecutionHandler
                    .failExecution(resource, String.valueOf(invalid.getMessage()))
                    .map(failed -> engine.advance(failed, clock.instant()))
                    .orElse(Requeue.NEVER);
        }
        return engine.advance(resource.isMarkedForDeletion() ? cancelledByDeletion(seen) : seen, clock.instant());
    }

    /** An execution that only a finalizer keeps must neither start nor run on. */
    private static Versioned<Execution> cancelledByDeletion(Versioned<Execution> seen) {
        return seen.value().cancelledBy().isPresent()
                ? seen
                : new Versioned<>(seen.value().cancelledBy("its deletion"), seen.version());
    }
}
