package dev.escapement.kubernetes.controller;

import dev.escapement.api.ApiGroup;
import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Reconciles one execution when it is created, when a user changes it, or when its run changes. */
final class ExecutionReconciler {

    /**
     * After this many refusals, which take a few seconds, the author of the execution gets a warning; then after as
     * many again, about once a minute, because the API server forgets Events.
     */
    private static final int REFUSALS_PER_WARNING = 6;

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

    WorkResult reconcile(ExecutionRef ref) {
        Optional<WorkflowExecutionResource> found = executions.get(ref.namespace(), ref.name(), ref.uid());
        try {
            Requeue next = found.map(this::advance).orElse(Requeue.NEVER);
            if (next != Requeue.IMMEDIATELY) {
                refusalsByUid.remove(ref.uid());
            }
            return OperatorTask.toResult(next);
        } catch (KubernetesClientException failure) {
            found.ifPresent(resource -> serverErrorMessage(failure)
                    .filter(message -> refusalsByUid.merge(ref.uid(), 1, Integer::sum) % REFUSALS_PER_WARNING == 0)
                    .ifPresent(message -> heldUpListener.accept(resource, message)));
            throw failure;
        }
    }

    /** Returns the message of an API server that answers, for example because of a webhook that does not. */
    private static Optional<String> serverErrorMessage(KubernetesClientException failure) {
        return failure.getCode() == HttpURLConnection.HTTP_INTERNAL_ERROR
                ? Optional.ofNullable(failure.getStatus()).map(Status::getMessage)
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
