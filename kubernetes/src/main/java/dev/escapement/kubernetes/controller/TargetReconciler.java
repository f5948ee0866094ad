package dev.escapement.kubernetes.controller;

import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.mapping.TargetState;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
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
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles one ledger entry: releases it if its holder is finished or deleted, and removes it when it is idle, so
 * that the ledger has only targets that are held, cooling down or failing. Corrects the ledger after the deletion of an
 * execution or an entry.
 *
 * @param runRemover deletes the runs of a deleted execution
 * @param clearancePublished whether the clearance that only the entry records was published
 */
record TargetReconciler(
        ResourceCache<RemediationTargetResource> targets,
        ResourceCache<WorkflowExecutionResource> executions,
        Engine engine,
        Consumer<ExecutionRef> runRemover,
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
        if (!resource.hasRequiredFinalizer()) {
            // Written by an earlier version, or the finalizer was removed by hand.
            return engine.store().apply(List.of(new StoreWrite.EntryUpdate(seen, seen.value(), clock.instant())))
                    ? WorkResult.DONE
                    : WorkResult.CONFLICT;
        }
        if (seen.value() instanceof Held held) {
            return reconcileHeld(held);
        }
        if (!forgetDeleted(seen)) {
            return WorkResult.CONFLICT;
        }
        TargetState state = TargetState.of(seen.value(), engine.policy().get(), clock.instant());
        return state.isIn(resource.getStatus()) ? removeIfIdle(seen, state) : updateState(seen);
    }

    private WorkResult reconcileHeld(Held held) {
        var ref = held.holder().execution();
        var holder = executions.get(ref.namespace(), ref.name(), ref.uid());
        Instant now = clock.instant();
        return holder.isPresent()
                ? holder.get().readValid().map(this::releaseIfFinished).orElse(WorkResult.DONE)
                : engine.recoverLock(held.target(), now).toWorkResult(now);
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

    /** Writes the state that time or a new policy has changed, unless the entry is idle. */
    private WorkResult updateState(Versioned<LedgerEntry> seen) {
        var now = clock.instant();
        if (seen.value().expire(engine.policy().get(), now).isIdle(now)) {
            return removeIfIdle(
                    seen, TargetState.of(seen.value(), engine.policy().get(), now));
        }
        return engine.store().apply(List.of(new StoreWrite.EntryUpdate(seen, seen.value(), now)))
                ? WorkResult.DONE
                : WorkResult.CONFLICT;
    }

    private WorkResult removeIfIdle(Versioned<LedgerEntry> seen, TargetState state) {
        Policy rules = engine.policy().get();
        var now = clock.instant();
        LedgerEntry expired = seen.value().expire(rules, now);
        if (expired.isIdle(now)) {
            if (!clearancePublished.test(seen.value())) {
                return WorkResult.after(UNPUBLISHED_DELAY);
            }
            // It fails if the target was acquired meanwhile; that is a new version and so a new task.
            engine.store().apply(List.of(new StoreWrite.EntryUpdate(seen, expired, now)));
            return WorkResult.DONE;
        }
        return Stream.concat(idleDeadline(seen.value(), rules).stream(), state.until().stream())
                .min(Instant::compareTo)
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

    /**
     * Cleans up after a deleted execution: releases its target, deletes its runs, and removes it from the memory of the
     * ledger if the policy says so.
     *
     * @param target empty if it is not known; then only the runs are deleted
     */
    WorkResult cleanUpDeleted(ExecutionRef deleted, Optional<Target> target) {
        // A stale cache may have shown it as deleted.
        if (engine.store().readExecution(deleted).isPresent()) {
            return WorkResult.DONE;
        }
        Requeue next = target.map(on -> engine.cleanUpDeleted(deleted, on, clock.instant()))
                .orElse(Requeue.NEVER);
        if (next != Requeue.NEVER) {
            // The end of a run that is still being stopped starts the clean-up again.
            return next.toWorkResult(clock.instant());
        }
        if (target.filter(on -> existsForLedger(deleted, on)).isPresent()) {
            LOG.warn("A run names execution {} with the uid of another execution: ignored", deleted);
            return WorkResult.DONE;
        }
        runRemover.accept(deleted);
        boolean forgotten = target.map(on -> forget(deleted, on)).orElse(true);
        return forgotten ? WorkResult.DONE : WorkResult.CONFLICT;
    }

    /** The name of an execution comes from the ledger: a run can be labelled with the uid of any execution. */
    private boolean existsForLedger(ExecutionRef deleted, Target target) {
        return engine.store()
                .readEntry(target)
                .value()
                .memory()
                .endedExecutions()
                .map(EndedExecution::execution)
                .filter(past -> past.hasUid(deleted.uid()) && !past.equals(deleted))
                .anyMatch(past -> !isDeleted(past));
    }

    /** Restores an entry that was removed by force while an execution holds it. */
    WorkResult restoreEntry(Held removed) {
        engine.restoreRemovedEntry(removed, clock.instant());
        return WorkResult.DONE;
    }

    /** Removes an execution from the memory of the ledger. Returns false if the write conflicts. */
    boolean forget(ExecutionRef deleted, Target target) {
        Versioned<LedgerEntry> seen = engine.store().readEntry(target);
        return replace(seen, seen.value().forget(deleted, engine.policy().get()));
    }

    /**
     * Removes all deleted executions from the memory of an entry. An execution can be deleted while no operator runs,
     * so one that is missing counts as deleted. Returns false if the write conflicts.
     */
    boolean forgetDeleted(Versioned<LedgerEntry> seen) {
        Policy rules = engine.policy().get();
        if (!rules.resetOnDelete()) {
            return true;
        }
        LedgerEntry changed = seen.value();
        List<ExecutionRef> remembered = seen.value()
                .memory()
                .endedExecutions()
                .filter(past -> !past.afterDeletion())
                .map(EndedExecution::execution)
                .distinct()
                .toList();
        for (ExecutionRef execution : remembered) {
            changed = isDeleted(execution) ? changed.forget(execution, rules) : changed;
        }
        return replace(seen, changed);
    }

    private boolean replace(Versioned<LedgerEntry> seen, LedgerEntry changed) {
        return changed.equals(seen.value())
                || engine.store().apply(List.of(new StoreWrite.EntryUpdate(seen, changed, clock.instant())));
    }

    private boolean isDeleted(ExecutionRef remembered) {
        boolean cached = executions
                .get(remembered.namespace(), remembered.name(), remembered.uid())
                .isPresent();
        return !cached && engine.store().readExecution(remembered).isEmpty();
    }
}
