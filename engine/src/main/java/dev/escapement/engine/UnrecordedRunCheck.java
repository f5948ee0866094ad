package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus.Final;
import dev.escapement.engine.execution.ExecutionStatus.Pending;
import dev.escapement.engine.execution.ExecutionStatus.Running;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite.EntryUpdate;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.TargetRun;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Finds the runs on a target that its ledger entry does not know, because the entry was lost: removed by force, with
 * its CustomResourceDefinition, or by restoring a backup.
 *
 * <p>The check comes after the acquisition, because between a check and an acquisition another execution could acquire
 * the target, start its run and lose the entry. It is complete: a run is prepared before its execution acquires the
 * target, so the run of every earlier holder exists or has ended, and a later holder finds the run of this one. Of the
 * other executions, one that is recorded as Running gets the entry back, and one that is Pending is processed first, so
 * that an engine that has acquired the target for it can no longer record it as Running.
 */
record UnrecordedRunCheck(ExecutionStore store, WorkflowRunner runner, Policy policy, Instant now) {

    /** An entry that remembers a run was checked when that run was started, and was not lost since. */
    boolean isNeeded(Held acquired) {
        return store.canLoseEntries() && !acquired.memory().remembersRun();
    }

    /**
     * Returns whether the holder may be recorded. Otherwise it must be processed again: it does not hold the target any
     * more, or another run has to end first.
     */
    boolean isOnlyRun(Held held) {
        for (TargetRun other : runner.findRuns(held.target())) {
            boolean own = other.execution().hasUid(held.holder().execution().uid());
            if (!own && !isHarmless(held, other)) {
                return false;
            }
        }
        return true;
    }

    private boolean isHarmless(Held held, TargetRun other) {
        Optional<Versioned<Execution>> owner;
        try {
            if (other.ended() && hasFinished(other)) {
                return true;
            }
            owner = store.readExecution(other.execution());
        } catch (IllegalArgumentException unreadable) {
            return isHarmlessWithoutOwner(other);
        }
        if (owner.isPresent() && owner.get().value().status() instanceof Running running) {
            return handOver(held, owner.get().value().asHolder(running.run(), running.startTime()));
        } else if (other.suspendedVersion().isPresent()) {
            return isHarmless(held, other, other.suspendedVersion().get(), owner);
        } else if (other.ended()) {
            return true;
        } else if (owner.isEmpty()) {
            // The recovery of the lock of a deleted holder stops the run and records that it was lost.
            return handOver(held, other.asHolder(now));
        }
        return isHarmlessWithoutOwner(other);
    }

    /** The execution of the run has finished, or its status cannot be read: only what is active matters. */
    private boolean isHarmlessWithoutOwner(TargetRun other) {
        if (other.suspendedVersion().isPresent()) {
            return runner.remove(other.run(), other.suspendedVersion().get());
        } else if (other.ended()) {
            return true;
        }
        new RunLimits(runner, policy, now).stop(other.run(), "another execution on its target");
        return false;
    }

    private boolean hasFinished(TargetRun run) {
        return store.readCachedExecution(run.execution())
                .filter(owner -> owner.value().status() instanceof Final)
                .isPresent();
    }

    /** A suspended run must not be started later, by an engine that was paused. */
    private boolean isHarmless(Held held, TargetRun suspended, String version, Optional<Versioned<Execution>> owner) {
        if (owner.isEmpty() || !(owner.get().value().status() instanceof Pending pending)) {
            return runner.remove(suspended.run(), version);
        }
        // The target is busy for it. Once that is written, nothing can record it as Running; if it waits, its run goes.
        Versioned<LedgerEntry> entry = new Versioned<>(held, "acquired");
        new ExecutionAdmission(store, runner, policy, now).decide(owner.get(), pending, entry, held);
        Optional<Versioned<Execution>> next = store.readExecution(suspended.execution());
        boolean running =
                next.filter(seen -> seen.value().status() instanceof Running).isPresent();
        boolean finished =
                next.filter(seen -> seen.value().status() instanceof Final).isPresent();
        return finished || (!running && runner.remove(suspended.run(), version));
    }

    /** Returns false: the execution that has acquired the target does not hold it any more. */
    private boolean handOver(Held held, Holder earlier) {
        Versioned<LedgerEntry> current = store.readCurrentEntry(held.target());
        current.value()
                .heldBy(held.holder().execution())
                .ifPresent(own -> store.apply(List.of(new EntryUpdate(current, own.withHolder(earlier), now))));
        return false;
    }
}
