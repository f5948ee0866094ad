package dev.escapement.kubernetes.controller;

import dev.escapement.common.FailureLog;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
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
import org.slf4j.LoggerFactory;

/**
 * Carries one execution on when it appears, when somebody cancels it, or when its run changes. What was decided is
 * written by the engine; nothing is left for the framework to write. It never throws: trouble is tried again, quietly.
 */
final class ExecutionReconciler implements Reconciler<WorkflowExecutionResource> {

    /** A look that changes something is followed by another one at once, at most so many times. */
    private static final int MAX_CONSECUTIVE_STEPS = 5;

    /**
     * After so many refusals, within a few seconds, whoever asked for the execution should hear of it; and after as
     * many again, about once a minute, because the API server forgets what it was told.
     */
    private static final int REFUSALS_PER_WARNING = 6;

    private final ResourceCache<WorkflowExecutionResource> executions;
    private final Engine engine;
    private final InvalidExecutionHandler invalidExecutionHandler;
    private final SimpleInboundEventSource<WorkflowExecutionResource> runEventSource;
    private final InstantSource clock;
    private final BiConsumer<WorkflowExecutionResource, String> heldUpListener;
    private final RetryDelays retryDelays = new RetryDelays();
    private final Map<String, Integer> refusalCounts = new ConcurrentHashMap<>();
    private final FailureLog failureLog = new FailureLog(
            LoggerFactory.getLogger(ExecutionReconciler.class), "Reconciling executions", FailureLog.RECOVERY_PERIOD);

    /**
     * @param runs wakes executions when their runs change
     * @param heldUp hears of an execution that does not get on, and why
     */
    ExecutionReconciler(
            ResourceCache<WorkflowExecutionResource> executions,
            Engine engine,
            InvalidExecutionHandler unreadable,
            SimpleInboundEventSource<WorkflowExecutionResource> runs,
            InstantSource clock,
            BiConsumer<WorkflowExecutionResource, String> heldUp) {
        this.executions = executions;
        this.engine = engine;
        this.invalidExecutionHandler = unreadable;
        this.runEventSource = runs;
        this.clock = clock;
        this.heldUpListener = heldUp;
    }

    @Override
    public List<EventSource<?, WorkflowExecutionResource>> prepareEventSources(
            EventSourceContext<WorkflowExecutionResource> context) {
        return List.of(runEventSource);
    }

    /** Whether a change is somebody's wish. What we write ourselves must not wake us. */
    static boolean isUserChange(WorkflowExecutionResource next, WorkflowExecutionResource before) {
        return !Objects.equals(cancelledBy(next), cancelledBy(before))
                || next.isMarkedForDeletion() != before.isMarkedForDeletion()
                || !Objects.equals(
                        next.getMetadata().getGeneration(), before.getMetadata().getGeneration())
                || !Objects.equals(
                        next.getMetadata().getUid(), before.getMetadata().getUid());
    }

    private static Optional<String> cancelledBy(WorkflowExecutionResource resource) {
        return Optional.ofNullable(resource.getMetadata().getAnnotations())
                .map((Map<String, String> all) -> all.get(ExecutionDocument.CANCELLED_BY));
    }

    @Override
    public UpdateControl<WorkflowExecutionResource> reconcile(
            WorkflowExecutionResource primary, Context<WorkflowExecutionResource> context) {
        return reconcileById(ResourceID.fromResource(primary))
                .map(wait -> UpdateControl.<WorkflowExecutionResource>noUpdate().rescheduleAfter(wait))
                .orElseGet(UpdateControl::noUpdate);
    }

    /** Returns how long until the next look; empty if something has to happen first. */
    Optional<Duration> reconcileById(ResourceID id) {
        String key = key(id);
        try {
            boolean settled = advanceUntilSettled(id.getNamespace().orElse(""), id.getName());
            failureLog.recordSuccess();
            if (!settled) {
                return Optional.of(retryDelays.nextConflictDelay(key));
            }
            resetRetries(key);
            return Optional.empty();
        } catch (RuntimeException trouble) {
            failureLog.recordFailure(key, trouble);
            // What came in between, such as a conflict, is neither a refusal nor the end of them.
            serverErrorMessage(trouble)
                    .filter(said -> refusalCounts.merge(key, 1, Integer::sum) % REFUSALS_PER_WARNING == 0)
                    .ifPresent(said -> reportHeldUp(id, said));
            return Optional.of(retryDelays.nextFailureDelay(key));
        }
    }

    /** The watch has told that an execution is gone: another one of its name begins anew. */
    void onDeleted(WorkflowExecutionResource resource) {
        resetRetries(key(ResourceID.fromResource(resource)));
    }

    private void resetRetries(String key) {
        retryDelays.reset(key);
        refusalCounts.remove(key);
    }

    private static String key(ResourceID id) {
        return id.getNamespace().orElse("") + "/" + id.getName();
    }

    /**
     * What an API server that is there has to say, such as that somebody's webhook does not answer. While it is away
     * everything is held up, and there is nobody to tell.
     */
    private static Optional<String> serverErrorMessage(RuntimeException trouble) {
        return trouble instanceof KubernetesClientException said
                        && said.getCode() == HttpURLConnection.HTTP_INTERNAL_ERROR
                ? Optional.ofNullable(said.getStatus()).map(Status::getMessage)
                : Optional.empty();
    }

    private void reportHeldUp(ResourceID id, String said) {
        executions
                .get(id.getNamespace().orElse(""), id.getName())
                .ifPresent(resource -> heldUpListener.accept(resource, said));
    }

    /** Looks as long as each look finds something new; false if it has to be looked at again without news. */
    private boolean advanceUntilSettled(String namespace, String name) {
        String last = "";
        for (int look = 0; look < MAX_CONSECUTIVE_STEPS; look++) {
            Optional<WorkflowExecutionResource> newest = executions.get(namespace, name);
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

    private Requeue advance(WorkflowExecutionResource resource) {
        Versioned<Execution> seen;
        try {
            seen = ExecutionCodec.read(resource);
        } catch (IllegalArgumentException refused) {
            return invalidExecutionHandler
                    .failExecution(resource, String.valueOf(refused.getMessage()))
                    .map(failed -> engine.advance(failed, clock.instant()))
                    .orElse(Requeue.NEVER);
        }
        return engine.advance(resource.isMarkedForDeletion() ? cancelledByDeletion(seen) : seen, clock.instant());
    }

    /** Somebody has deleted it and somebody else keeps it from going: it must not start, nor go on. */
    private static Versioned<Execution> cancelledByDeletion(Versioned<Execution> seen) {
        return seen.value().cancelledBy().isPresent()
                ? seen
                : new Versioned<>(seen.value().cancelledBy("its deletion"), seen.version());
    }
}
