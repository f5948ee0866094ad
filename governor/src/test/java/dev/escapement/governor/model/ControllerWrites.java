package dev.escapement.governor.model;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.TargetMemory;
import dev.escapement.governor.ledger.WorkflowMemory;
import dev.escapement.governor.model.ModelValues.ControllerStep;
import dev.escapement.governor.model.ModelValues.PendingWrite;
import dev.escapement.governor.model.ModelValues.Phase;
import dev.escapement.governor.model.ModelValues.Run;
import dev.escapement.governor.model.ModelValues.RunState;
import dev.escapement.governor.model.ModelValues.Status;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Models the conditional writes of controllers. A write with a stale version has no effect. */
final class ControllerWrites {

    private final ProtocolMutant mutant;
    private final boolean requestsWait;
    private final UnrecordedRunModel checks;

    ControllerWrites(ProtocolMutant mutant, boolean requestsWait, UnrecordedRunModel checks) {
        this.mutant = mutant;
        this.requestsWait = requestsWait;
        this.checks = checks;
    }

    void addWriteSteps(ModelState state, int c, BiConsumer<String, ModelState> next) {
        PendingWrite work = state.work(c);
        switch (work.step()) {
            case SKIP -> skip(state, c, work, next);
            case PREPARE -> prepare(state, c, work, next);
            case COMMIT -> commit(state, c, work, next);
            case CHECK, INSPECT_OTHER, SKIP_OTHER, REMOVE_OTHER, HAND_OVER, RESTORE ->
                checks.addSteps(state, c, work, next);
            case EARLY_START -> earlyStart(state, c, work, next);
            case RECORD -> record(state, c, work, next);
            case FAIL -> fail(state, c, work, next);
            case START -> start(state, c, work, next);
            case FINISH -> finish(state, c, work, next);
            case RELEASE -> release(state, c, work, next);
            case RECOVER -> recover(state, c, work, next);
            case RECOVER_RELEASE -> recoverRelease(state, c, work, next);
        }
    }

    /**
     * Removes pending writes that are already stale: versions only grow, so they can have no effect. This reduces the
     * number of states without losing a relevant one.
     */
    ModelState withoutStaleWrites(ModelState state) {
        ModelState pruned = state;
        for (int c = 0; c < state.controllers(); c++) {
            if (!state.isIdle(c) && isStale(state, state.work(c))) {
                pruned = pruned.withoutWork(c);
            }
        }
        return pruned;
    }

    private boolean isStale(ModelState state, PendingWrite work) {
        int e = work.execution();
        return switch (work.step()) {
            case SKIP -> mutant != ProtocolMutant.NO_VERSION_ON_SKIP && !isCurrent(state, work);
            case RECORD, FAIL, FINISH -> !isCurrent(state, work);
            case COMMIT -> !canAcquire(state, work);
            case RESTORE -> !isAbsent(state.ledger());
            case CHECK, INSPECT_OTHER, SKIP_OTHER, REMOVE_OTHER -> !isCurrent(state, work);
            case START -> mutant != ProtocolMutant.NO_VERSION_ON_START && work.runVersion() != state.runVersions(e) - 1;
            case HAND_OVER, RELEASE, RECOVER, RECOVER_RELEASE ->
                state.ledger().heldBy(ControllerModel.request(e).execution()).isEmpty();
            case PREPARE, EARLY_START -> false;
        };
    }

    private void skip(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        Phase phase = state.status(e).phase();
        boolean blind = mutant == ProtocolMutant.NO_VERSION_ON_SKIP && !phase.isFinal() && phase != Phase.GONE;
        if (isCurrent(state, work) || blind) {
            ModelState skipped = state.withStatus(e, Status.SKIPPED).withoutWork(c);
            if (mutant == ProtocolMutant.SKIPPED_COUNTS_AS_PREVIOUS && state.ledger() instanceof Free free) {
                skipped = skipped.withLedger(free.withContents(free.epoch(), TargetMemory.EMPTY, Optional.empty()));
            }
            next.accept("c%d skips %d".formatted(c, e), skipped);
        }
    }

    private void prepare(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        ControllerStep then = mutant == ProtocolMutant.LIST_THEN_CREATE ? ControllerStep.RECORD : ControllerStep.COMMIT;
        Run run = state.run(e);
        if (run.state() != RunState.NONE) {
            next.accept(
                    "c%d adopts the run of %d".formatted(c, e),
                    state.withWork(c, work.withStep(then).run(run.uid())));
            return;
        }
        String uid = "r" + state.truth.runs();
        boolean active = mutant == ProtocolMutant.START_BEFORE_COMMIT;
        GroundTruth truth = active ? state.truth.withPreparedRun().withStart(e) : state.truth.withPreparedRun();
        next.accept(
                "c%d prepares %d".formatted(c, e),
                state.withRun(e, new Run(uid, active ? RunState.RUNNING : RunState.SUSPENDED))
                        .withTruth(truth)
                        .withWork(c, work.withStep(then).run(uid)));
        if (state.truth.refusals() > 0) {
            next.accept(
                    "c%d is refused a run for %d".formatted(c, e),
                    state.withTruth(state.truth.withRefusal()).withWork(c, work.withStep(then)));
        }
    }

    private void commit(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        if (!canAcquire(state, work)) {
            return;
        }
        Free free = (Free) state.values.entries.valueAt(work.entry());
        GroundTruth truth = state.truth;
        if (state.ledger() instanceof Held folded) {
            truth = countOutcome(
                    truth,
                    ControllerModel.executionNumber(folded),
                    state.status(ControllerModel.executionNumber(folded)).releaseOutcome());
        }
        Holder holder = new Holder(
                ControllerModel.request(e).execution(),
                ControllerModel.request(e).workflow(),
                work.run(),
                work.run(),
                ControllerModel.NOW);
        PendingWrite then =
                mutant == ProtocolMutant.START_BEFORE_RECORD && !work.run().isEmpty()
                        ? work.withStep(ControllerStep.EARLY_START)
                        : checks.afterAcquisition(work, free);
        ModelState committed = state.withLedger(free.acquire(holder))
                .withTruth(truth.admitted(e, ControllerModel.POLICY.maxConsecutiveFailures()))
                .withWork(c, then);
        next.accept(
                "c%d commits %d".formatted(c, e),
                requestsWait ? WaitModel.checkOrder(state, committed, e, free) : committed);
    }

    /** An entry that was absent may have existed in between: its absence has no version. */
    private static boolean canAcquire(ModelState state, PendingWrite work) {
        return work.ledgerVersion() == state.ledgerVersions() - 1
                || (isAbsent(state.ledger()) && isAbsent(state.ledger(work.ledgerVersion())));
    }

    static boolean isAbsent(LedgerEntry entry) {
        return entry.epoch() == 0;
    }

    private void earlyStart(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        if (state.run(e).equals(new Run(work.run(), RunState.SUSPENDED))) {
            next.accept(
                    "c%d starts %d".formatted(c, e),
                    withStartedRun(state, e).withWork(c, work.withStep(ControllerStep.RECORD)));
        }
    }

    private void record(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        if (isCurrent(state, work) && state.status(e).phase() == Phase.PENDING) {
            ModelState running = state.withStatus(e, Status.running(work.run()));
            boolean mine = state.run(e).equals(new Run(work.run(), RunState.SUSPENDED));
            next.accept(
                    "c%d records %d Running".formatted(c, e),
                    mine
                            ? running.withWork(
                                    c, work.withStep(ControllerStep.START).withRunVersion(state.runVersions(e) - 1))
                            : running.withoutWork(c));
        }
    }

    private void fail(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        Optional<Held> held = state.ledger().heldBy(ControllerModel.request(e).execution());
        if (isCurrent(state, work) && state.status(e).phase() == Phase.PENDING && held.isPresent()) {
            ExecutionOutcome outcome =
                    held.get().failedStartOutcome("Forbidden", ControllerModel.NOW, ControllerModel.POLICY);
            next.accept(
                    "c%d records %d Failed".formatted(c, e),
                    state.withStatus(e, Status.ended(outcome))
                            .withWork(c, work.withStep(ControllerStep.RELEASE).outcome(outcome)));
        }
    }

    private void start(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        Run run = state.run(e);
        boolean current = run.uid().equals(work.run()) && work.runVersion() == state.runVersions(e) - 1;
        boolean blind = mutant == ProtocolMutant.NO_VERSION_ON_START && run.state() == RunState.SUSPENDED;
        if (current || blind) {
            next.accept(
                    "c%d starts %d".formatted(c, e), withStartedRun(state, e).withoutWork(c));
        }
    }

    private void finish(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        if (isCurrent(state, work) && state.status(e).phase() == Phase.RUNNING) {
            ExecutionOutcome outcome = work.outcome().orElseThrow();
            ModelState ended = state.withStatus(e, Status.ended(outcome));
            next.accept(
                    "c%d records %d %s".formatted(c, e, ended.status(e).phase()),
                    mutant == ProtocolMutant.RELEASE_BEFORE_STATUS
                            ? ended.withoutWork(c)
                            : ended.withWork(c, work.withStep(ControllerStep.RELEASE)));
        }
    }

    private void release(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        state.ledger().heldBy(ControllerModel.request(e).execution()).ifPresent(held -> {
            ExecutionOutcome outcome = work.outcome().orElseThrow();
            boolean uncounted = mutant == ProtocolMutant.COUNTER_ON_THE_EXECUTION
                    && outcome instanceof ExecutionOutcome.FailedBeforeExecution;
            ExecutionOutcome stored = uncounted ? new ExecutionOutcome.Withdrawn() : outcome;
            ModelState released = state.withLedger(held.release(stored, ControllerModel.NOW))
                    .withTruth(countOutcome(state.truth, e, outcome));
            next.accept(
                    "c%d releases %d".formatted(c, e),
                    mutant == ProtocolMutant.RELEASE_BEFORE_STATUS
                                    && state.status(e).phase() == Phase.RUNNING
                            ? released.withWork(c, work.withStep(ControllerStep.FINISH))
                            : released.withoutWork(c));
        });
    }

    /**
     * Recovers the lock of a deleted holder: stops its run first. Unless it certainly did not start, it counts as
     * started.
     */
    private void recover(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        Optional<Held> held = state.ledger().heldBy(ControllerModel.request(e).execution());
        if (held.isEmpty()) {
            return;
        }
        Run run = state.run(e);
        boolean named = run.uid().equals(held.get().holder().runUid());
        ModelState stopped = state;
        if (run.state() == RunState.SUSPENDED) {
            stopped = state.withRun(e, Run.NONE);
        } else if (run.state() == RunState.RUNNING) {
            stopped = state.withRun(e, run.withState(RunState.FAILED_DURING)).withTruth(state.truth.withBroken(e));
        }
        boolean harmless = held.get().holder().runUid().isEmpty() || (named && run.state() == RunState.SUSPENDED);
        ExecutionOutcome outcome = harmless
                ? new ExecutionOutcome.Withdrawn()
                : run.state() == RunState.SUCCEEDED ? new ExecutionOutcome.Completed() : new ExecutionOutcome.Lost();
        next.accept(
                "c%d stops what %d left".formatted(c, e),
                stopped.withWork(
                        c, work.withStep(ControllerStep.RECOVER_RELEASE).outcome(outcome)));
    }

    private void recoverRelease(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        release(state, c, work, next);
    }

    /** Handles the event of a deletion, possibly not for the first time. */
    LedgerEntry forget(LedgerEntry entry, ExecutionRef execution) {
        if (mutant == ProtocolMutant.FORGET_WHAT_WAS_LOST) {
            TreeMap<String, WorkflowMemory> kept = new TreeMap<>(entry.memory().workflows());
            kept.values()
                    .removeIf(memory -> memory.endedExecutions()
                            .max(Comparator.comparing(EndedExecution::endedAt))
                            .filter(past -> past.execution().hasUid(execution.uid()))
                            .isPresent());
            return entry.withContents(
                    entry.epoch(), new TargetMemory(Optional.empty(), kept, Map.of()), entry.clearance());
        }
        return entry.forget(execution, ControllerModel.POLICY);
    }

    /** Applies a requested reset to the ground truth; the invariants detect one that was not requested. */
    GroundTruth truthAfterForget(GroundTruth truth, int execution) {
        return mutant == ProtocolMutant.FORGET_WHAT_WAS_LOST ? truth : truth.withForgotten(execution);
    }

    static LedgerEntry initialEntry() {
        return LedgerEntry.initial(Target.parse("node/worker-node-1"));
    }

    private static ModelState withStartedRun(ModelState state, int execution) {
        return state.withRun(execution, state.run(execution).withState(RunState.RUNNING))
                .withTruth(state.truth.withStart(execution));
    }

    private static GroundTruth countOutcome(GroundTruth truth, int execution, ExecutionOutcome outcome) {
        if (outcome instanceof ExecutionOutcome.FailedBeforeExecution) {
            return truth.withCountedFailure(execution);
        }
        return outcome instanceof ExecutionOutcome.Completed ? truth.withCountedSuccess() : truth;
    }

    private static boolean isCurrent(ModelState state, PendingWrite work) {
        return work.statusVersion() == state.statusVersions(work.execution()) - 1
                && state.status(work.execution()).phase() != Phase.GONE;
    }
}
