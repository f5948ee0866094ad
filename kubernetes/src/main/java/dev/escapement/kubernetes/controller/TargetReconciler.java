package dev.escapement.kubernetes.controller;

import dev.escapement.common.FailureLog;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.ledger.IdleDeadline;
import dev.escapement.kubernetes.ledger.LedgerReset;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.LedgerEntryCodec;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the ledger as small as what is active, cooling down or failing, and frees targets whose holder is gone. It is
 * woken by entries and by the runs of those who hold them, and by the time at which an entry can become idle.
 */
final class TargetReconciler implements Reconciler<RemediationTargetResource> {

    private static final Logger LOG = LoggerFactory.getLogger(TargetReconciler.class);

    private static final Duration NOT_SYNCED_DELAY = Duration.ofMillis(100);

    /** So long that a busy API server is not asked for the same release by two. */
    private static final Duration RELEASE_GRACE_PERIOD = Duration.ofSeconds(10);

    private static final Duration UNPUBLISHED_DELAY = Duration.ofSeconds(1);

    private final ResourceCache<RemediationTargetResource> targets;
    private final ResourceCache<WorkflowExecutionResource> executions;
    private final ExecutionStore store;
    private final Engine engine;
    private final LedgerReset ledgerReset;
    private final Supplier<Policy> policy;
    private final BooleanSupplier executionsSynced;
    private final Predicate<LedgerEntry> clearancePublished;
    private final SimpleInboundEventSource<RemediationTargetResource> runEventSource;
    private final InstantSource clock;
    private final RetryDelays retryDelays = new RetryDelays();
    private final FailureLog failureLog = new FailureLog(LOG, "Reconciling targets", FailureLog.RECOVERY_PERIOD);

    /**
     * @param synced whether all executions are known: before, each that is not would have to be asked for
     * @param told whether all that only an entry remembers has been told, so that it may go
     * @param runs wakes targets when the runs on them change
     */
    TargetReconciler(
            ResourceCache<RemediationTargetResource> targets,
            ResourceCache<WorkflowExecutionResource> executions,
            ExecutionStore store,
            Engine engine,
            LedgerReset forgetting,
            Supplier<Policy> policy,
            BooleanSupplier synced,
            Predicate<LedgerEntry> told,
            SimpleInboundEventSource<RemediationTargetResource> runs,
            InstantSource clock) {
        this.targets = targets;
        this.executions = executions;
        this.store = store;
        this.engine = engine;
        this.ledgerReset = forgetting;
        this.policy = policy;
        this.executionsSynced = synced;
        this.clearancePublished = told;
        this.runEventSource = runs;
        this.clock = clock;
    }

    @Override
    public List<EventSource<?, RemediationTargetResource>> prepareEventSources(
            EventSourceContext<RemediationTargetResource> context) {
        return List.of(runEventSource);
    }

    @Override
    public UpdateControl<RemediationTargetResource> reconcile(
            RemediationTargetResource primary, Context<RemediationTargetResource> context) {
        String name = primary.getMetadata().getName();
        if (!executionsSynced.getAsBoolean()) {
            return requeueAfter(NOT_SYNCED_DELAY);
        }
        try {
            Optional<Duration> wait = targets.get("", name).flatMap(resource -> reconcileEntry(name, resource));
            failureLog.recordSuccess();
            return wait.map(TargetReconciler::requeueAfter).orElseGet(UpdateControl::noUpdate);
        } catch (RuntimeException trouble) {
            failureLog.recordFailure(name, trouble);
            return requeueAfter(retryDelays.nextFailureDelay(name));
        }
    }

    /** The watch has told that an entry is gone: another one of its name begins anew. */
    void onDeleted(RemediationTargetResource resource) {
        retryDelays.reset(resource.getMetadata().getName());
    }

    private static UpdateControl<RemediationTargetResource> requeueAfter(Duration wait) {
        return UpdateControl.<RemediationTargetResource>noUpdate().rescheduleAfter(wait);
    }

    /** Returns how long until the next look; empty if something has to happen first. */
    private Optional<Duration> reconcileEntry(String name, RemediationTargetResource resource) {
        Versioned<LedgerEntry> seen;
        try {
            seen = LedgerEntryCodec.read(resource);
        } catch (IllegalArgumentException unreadable) {
            LOG.error(
                    "RemediationTarget {} cannot be read, so nothing starts on it: {}", name, unreadable.getMessage());
            return Optional.empty();
        }
        if (seen.value() instanceof Held held) {
            return recoverHeldEntry(name, held);
        }
        if (!ledgerReset.forgetDeleted(seen, clock.instant())) {
            return Optional.of(retryDelays.nextConflictDelay(name));
        }
        retryDelays.reset(name);
        return removeIfIdle(seen);
    }

    private Optional<Duration> recoverHeldEntry(String name, Held held) {
        Optional<WorkflowExecutionResource> holder = findExecution(held.holder().execution());
        if (holder.isPresent()) {
            retryDelays.reset(name);
            return releaseFinishedHolder(holder.get());
        }
        if (engine.recoverLock(held.target(), clock.instant()) != Requeue.IMMEDIATELY) {
            retryDelays.reset(name);
            return Optional.empty();
        }
        return Optional.of(retryDelays.nextConflictDelay(name));
    }

    private Optional<WorkflowExecutionResource> findExecution(ExecutionRef holder) {
        return executions
                .get(holder.namespace(), holder.name())
                .filter(found -> holder.hasUid(found.getMetadata().getUid()));
    }

    /**
     * Whoever ends an execution releases its target next. If it still holds it a while later, they did not see that it
     * does.
     */
    private Optional<Duration> releaseFinishedHolder(WorkflowExecutionResource holder) {
        Versioned<Execution> seen;
        try {
            seen = ExecutionCodec.read(holder);
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        if (!(seen.value().status() instanceof ExecutionStatus.Final ended)) {
            return Optional.empty();
        }
        if (ended.completionTime().plus(RELEASE_GRACE_PERIOD).isBefore(now)) {
            engine.advance(seen, now);
        }
        return Optional.of(RELEASE_GRACE_PERIOD);
    }

    private Optional<Duration> removeIfIdle(Versioned<LedgerEntry> seen) {
        Policy rules = policy.get();
        Instant now = clock.instant();
        LedgerEntry expired = seen.value().expire(rules, now);
        if (expired.isIdle(now)) {
            if (!clearancePublished.test(seen.value())) {
                return Optional.of(UNPUBLISHED_DELAY);
            }
            // Somebody may have taken it in between; then the write fails, as it should.
            store.apply(List.of(new StoreWrite.EntryUpdate(seen, expired, now)));
            return Optional.empty();
        }
        return IdleDeadline.of(seen.value(), rules)
                .map(at -> Duration.between(now, at).plusMillis(1));
    }
}
