package dev.escapement.kubernetes.controller;

import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles one ledger entry: releases it if its holder is finished or deleted, and removes it when it is idle, so
 * that the ledger has only targets that are held, cooling down or failing.
 *
 * @param clearancePublished whether the clearance that only the entry records was published
 */
record TargetReconciler(
        ResourceCache<RemediationTargetResource> targets,
        ResourceCache<WorkflowExecutionResource> executions,
        ExecutionStore store,
        Engine engine,
        DeletionCleanup cleanup,
        Supplier<Policy> policy,
        Predicate<LedgerEntry> clearancePublished,
        InstantSource clock) {

    private static final Logger LOG = LoggerFactory.getLogger(TargetReconciler.class);

    /** Long enough that the engine, which releases the target of what it finishes, has done so if it can. */
    private static final Duration RELEASE_GRACE_PERIOD = Duration.ofSeconds(10);

    private static final Duration UNPUBLISHED_DELAY = Duration.ofSeconds(1);

    WorkResult reconcile(String name, String uid) {
        return targets.get("", name, uid).map(this::reconcile).orElse(WorkResult.DONE);
    }

    private WorkResult reconcile(RemediationTargetResource resource) {
        Versioned<LedgerEntry> seen;
        try {
            seen = resource.read();
        } catch (IllegalArgumentException invalid) {
            String name = resource.getMetadata().getName();
            LOG.error("RemediationTarget {} is invalid, so nothing starts on it: {}", name, invalid.getMessage());
            return WorkResult.DONE;
        }
        if (seen.value() instanceof Held held) {
            return reconcileHeld(held);
        }
        return cleanup.forgetDeleted(seen) ? removeIfIdle(seen) : WorkResult.CONFLICT;
    }

    private WorkResult reconcileHeld(Held held) {
        var ref = held.holder().execution();
        var holder = executions.get(ref.namespace(), ref.name(), ref.uid());
        return holder.isPresent()
                ? holder.get().readValid().map(this::releaseIfFinished).orElse(WorkResult.DONE)
                : OperatorTask.toResult(engine.recoverLock(held.target(), clock.instant()));
    }

    /** The engine releases the target of what it finishes, unless a stale read hid that the target is held. */
    private WorkResult releaseIfFinished(Versioned<Execution> holder) {
        var now = clock.instant();
        if (!(holder.value().status() instanceof ExecutionStatus.Final finished)) {
            return WorkResult.DONE;
        }
        if (finished.completionTime().plus(RELEASE_GRACE_PERIOD).isBefore(now)) {
            engine.advance(holder, now);
        }
        return WorkResult.after(RELEASE_GRACE_PERIOD);
    }

    private WorkResult removeIfIdle(Versioned<LedgerEntry> seen) {
        Policy rules = policy.get();
        var now = clock.instant();
        LedgerEntry expired = seen.value().expire(rules, now);
        if (expired.isIdle(now)) {
            if (!clearancePublished.test(seen.value())) {
                return WorkResult.after(UNPUBLISHED_DELAY);
            }
            // It fails if the target was acquired meanwhile; that is a new version and so a new task.
            store.apply(List.of(new StoreWrite.EntryUpdate(seen, expired, now)));
            return WorkResult.DONE;
        }
        return idleDeadline(seen.value(), rules)
                .map(at -> WorkResult.after(Duration.between(now, at).plusMillis(1)))
                .orElse(WorkResult.DONE);
    }

    /** Returns the time at which the entry becomes idle; empty if that does not depend on time alone. */
    static Optional<Instant> idleDeadline(LedgerEntry entry, Policy policy) {
        Instant epochIsPast = Instant.ofEpochMilli(entry.epoch())
                .plus(LedgerEntry.MAX_CLOCK_SKEW)
                .plusMillis(1);
        Stream<Instant> cooldowns = entry.memory().workflows().values().stream()
                .flatMap(memory -> memory.lastCompleted().stream())
                .map(EndedExecution::endedAt)
                .map(at -> at.plus(policy.cooldown()));
        Stream<Instant> clearance =
                entry.clearance().stream().map(Clearance::at).map(at -> at.plus(policy.cooldown()));
        return Stream.concat(Stream.of(epochIsPast), Stream.concat(cooldowns, clearance))
                .max(Instant::compareTo)
                .filter(at -> entry.expire(policy, at).isIdle(at));
    }
}
