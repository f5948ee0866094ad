package dev.escapement.governor.model;

import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.model.ModelValues.ControllerStep;
import dev.escapement.governor.model.ModelValues.PendingWrite;
import dev.escapement.governor.model.ModelValues.PendingWrite.FoundRun;
import dev.escapement.governor.model.ModelValues.Phase;
import dev.escapement.governor.model.ModelValues.Run;
import dev.escapement.governor.model.ModelValues.RunState;
import dev.escapement.governor.model.ModelValues.Status;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Models how controllers find the runs that the ledger does not name because its entry was removed. */
final class UnrecordedRunModel {

    private final ProtocolMutant mutant;
    private final boolean requestsWait;

    UnrecordedRunModel(ProtocolMutant mutant, boolean requestsWait) {
        this.mutant = mutant;
        this.requestsWait = requestsWait;
    }

    /** Returns what follows an acquisition: a check, unless the entry proves that there was one before. */
    PendingWrite afterAcquisition(PendingWrite work, Free acquiredFrom) {
        boolean checks = mutant != ProtocolMutant.NO_CHECK_OF_RUNS && mutant != ProtocolMutant.CHECK_BEFORE_ACQUISITION;
        return checks && !acquiredFrom.memory().remembersRun() ? work.checkAgain() : record(work);
    }

    private static PendingWrite record(PendingWrite work) {
        return work.withStep(work.run().isEmpty() ? ControllerStep.FAIL : ControllerStep.RECORD);
    }

    /** The mutant looks for other runs when it decides. */
    boolean mustWaitBeforeAcquisition(ModelState state, int e) {
        return mutant == ProtocolMutant.CHECK_BEFORE_ACQUISITION
                && findOther(state, e).isPresent();
    }

    /** The target is acquired, and the status is still Pending. The entry is read from the store itself. */
    void resume(ModelState state, int c, int e, int xv, BiConsumer<String, ModelState> next) {
        state.ledger().heldBy(ControllerModel.request(e).execution()).ifPresent(held -> {
            PendingWrite work = PendingWrite.of(e, ControllerStep.CHECK)
                    .run(held.holder().runUid())
                    .withStatusVersion(xv);
            boolean checks = mutant != ProtocolMutant.NO_CHECK_OF_RUNS
                    && mutant != ProtocolMutant.CHECK_BEFORE_ACQUISITION
                    && mutant != ProtocolMutant.NO_CHECK_WHEN_RESUMING;
            next.accept("c%d resumes %d".formatted(c, e), state.withWork(c, checks ? work : record(work)));
        });
    }

    /** An execution whose entry is absent restores it while it runs; a deleted one until its run has stopped. */
    void addRestoreSteps(ModelState state, int c, int e, BiConsumer<String, ModelState> next) {
        Run run = state.run(e);
        Status status = state.status(e);
        boolean runs = status.phase() == Phase.RUNNING && status.run().equals(run.uid());
        if (runs && ControllerWrites.isAbsent(state.ledger())) {
            PendingWrite work = PendingWrite.of(e, ControllerStep.RESTORE).run(run.uid());
            next.accept("c%d will restore the entry of %d".formatted(c, e), state.withWork(c, work));
        }
        boolean left = status.phase() == Phase.GONE && run.state() == RunState.RUNNING;
        if (left && state.ledger() instanceof Free free) {
            next.accept(
                    "c%d acquires the target for the run of the deleted %d".formatted(c, e),
                    state.withLedger(free.acquire(holder(e, run.uid()))));
        } else if (left
                && state.ledger().heldBy(ControllerModel.request(e).execution()).isEmpty()) {
            next.accept(
                    "c%d stops the run of the deleted %d".formatted(c, e),
                    state.withRun(e, run.withState(RunState.FAILED_DURING)).withTruth(state.truth.withBroken(e)));
        }
    }

    void addSteps(ModelState state, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        if (work.step() == ControllerStep.CHECK) {
            Optional<FoundRun> other = findOther(state, e);
            next.accept(
                    "c%d lists the runs on the target for %d".formatted(c, e),
                    state.withWork(
                            c,
                            other.map(found -> work.withStep(ControllerStep.INSPECT_OTHER)
                                            .other(found))
                                    .orElseGet(() -> record(work))));
        } else if (work.step() == ControllerStep.INSPECT_OTHER) {
            inspect(state, c, work, work.other().orElseThrow(), next);
        } else if (work.step() == ControllerStep.RESTORE) {
            if (ControllerWrites.isAbsent(state.ledger())) {
                next.accept(
                        "c%d restores the entry of %d".formatted(c, e),
                        acquire(state, e, work.run()).withoutWork(c));
            }
        } else {
            act(state, c, work, work.other().orElseThrow(), next);
        }
    }

    /** Reads the other execution from the store itself. */
    private void inspect(
            ModelState state, int c, PendingWrite work, FoundRun found, BiConsumer<String, ModelState> next) {
        int o = found.execution();
        Phase phase = state.status(o).phase();
        boolean suspended = found.run().state() == RunState.SUSPENDED;
        boolean active = found.run().state() == RunState.RUNNING;
        FoundRun seen = new FoundRun(o, found.run(), found.runVersion(), state.statusVersions(o) - 1);
        if (phase == Phase.RUNNING || (phase == Phase.GONE && active)) {
            next.accept(
                    "c%d will hand the entry over to %d".formatted(c, o),
                    state.withWork(c, work.withStep(ControllerStep.HAND_OVER).other(seen)));
        } else if (suspended && phase == Phase.PENDING && mutant == ProtocolMutant.PENDING_OTHERS_IGNORED) {
            next.accept("c%d ignores %d".formatted(c, o), state.withWork(c, record(work)));
        } else if (suspended) {
            // One that waits stays Pending; it needs another run later.
            ControllerStep then =
                    phase == Phase.PENDING && !requestsWait ? ControllerStep.SKIP_OTHER : ControllerStep.REMOVE_OTHER;
            next.accept(
                    "c%d inspects %d".formatted(c, o),
                    state.withWork(c, work.withStep(then).other(seen)));
        } else {
            next.accept("c%d looks again".formatted(c), state.withWork(c, work.checkAgain()));
        }
    }

    private void act(ModelState state, int c, PendingWrite work, FoundRun found, BiConsumer<String, ModelState> next) {
        int o = found.execution();
        ModelState again = state.withWork(c, work.checkAgain());
        if (work.step() == ControllerStep.SKIP_OTHER) {
            boolean current = found.statusVersion() == state.statusVersions(o) - 1;
            next.accept(
                    "c%d skips %d, which has not acquired the target".formatted(c, o),
                    current ? again.withStatus(o, Status.SKIPPED) : again);
        } else if (work.step() == ControllerStep.REMOVE_OTHER) {
            boolean current = found.runVersion() == state.runVersions(o) - 1;
            next.accept(
                    "c%d removes the suspended run that %d left".formatted(c, o),
                    current ? again.withRun(o, Run.NONE) : again);
        } else {
            Status status = state.status(o, found.statusVersion());
            String run =
                    status.phase() == Phase.RUNNING ? status.run() : found.run().uid();
            state.ledger()
                    .heldBy(ControllerModel.request(work.execution()).execution())
                    .ifPresent(held -> next.accept(
                            "c%d hands the entry over to %d".formatted(c, o),
                            state.withLedger(held.withHolder(holder(o, run))).withoutWork(c)));
        }
    }

    /** Returns the first run of another execution that may be started, is active, or whose end is not recorded. */
    private static Optional<FoundRun> findOther(ModelState state, int e) {
        for (int o = 0; o < state.executions(); o++) {
            Run run = state.run(o);
            boolean ended = run.state().hasEnded();
            Phase phase = state.status(o).phase();
            boolean recorded = phase.isFinal() || phase == Phase.GONE;
            boolean leftover = run.state() == RunState.SUSPENDED && phase == Phase.SKIPPED;
            if (o != e && run.state() != RunState.NONE && !(ended && recorded) && !leftover) {
                return Optional.of(new FoundRun(o, run, state.runVersions(o) - 1, -1));
            }
        }
        return Optional.empty();
    }

    private static ModelState acquire(ModelState state, int e, String run) {
        LedgerEntry held = ((Free) ControllerWrites.initialEntry()).acquire(holder(e, run));
        return state.withLedger(held);
    }

    private static Holder holder(int e, String run) {
        var request = ControllerModel.request(e);
        return new Holder(request.execution(), request.workflow(), run, run, ControllerModel.NOW);
    }
}
