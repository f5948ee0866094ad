package dev.escapement.governor.model;

import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.model.ModelValues.Run;
import dev.escapement.governor.model.ModelValues.RunState;
import dev.escapement.governor.model.ModelValues.Status;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Models the environment: runs end or vanish, users delete executions and ledger entries and clear targets. */
final class EnvironmentModel {

    private final boolean runsBreak;
    private final boolean hasFinalizers;

    /** @param hasFinalizers whether a finalizer protects entries from deletion */
    EnvironmentModel(boolean runsBreak, boolean hasFinalizers) {
        this.runsBreak = runsBreak;
        this.hasFinalizers = hasFinalizers;
    }

    void addSteps(ModelState state, BiConsumer<String, ModelState> next) {
        GroundTruth truth = state.truth;
        for (int e = 0; e < state.executions(); e++) {
            Run run = state.run(e);
            if (run.state() == RunState.RUNNING) {
                next.accept("run %d succeeds".formatted(e), endRun(state, e, RunState.SUCCEEDED, truth.succeeded(e)));
                if (runsBreak) {
                    next.accept(
                            "run %d breaks".formatted(e),
                            endRun(state, e, RunState.FAILED_DURING, truth.withBroken(e)));
                }
                next.accept("run %d cannot start".formatted(e), endRun(state, e, RunState.FAILED_BEFORE, truth));
                if (truth.losses() > 0) {
                    next.accept(
                            "run %d vanishes".formatted(e),
                            state.withRun(e, Run.NONE)
                                    .withTruth(truth.withLostRun().withBroken(e)));
                }
            }
            if (run.state().hasEnded() && state.status(e).phase().isFinal()) {
                next.accept("run %d is pruned".formatted(e), state.withRun(e, Run.NONE));
            }
            if (truth.deletions() > 0 && state.status(e).phase() != ModelValues.Phase.GONE) {
                next.accept(
                        "execution %d is deleted".formatted(e),
                        state.withStatus(e, Status.GONE).withTruth(truth.withDeletion()));
            }
        }
        removeEntry(state, next);
        if (truth.clearances() > 0) {
            Optional<LedgerEntry> cleared = state.ledger().clear(ControllerModel.clearance());
            cleared.ifPresent(entry -> next.accept(
                    "a person clears the target", state.withLedger(entry).withTruth(truth.withClearance())));
        }
    }

    private void removeEntry(ModelState state, BiConsumer<String, ModelState> next) {
        GroundTruth.EntryLoss loss = state.truth.loss();
        if (ControllerWrites.isAbsent(state.ledger())) {
            return;
        }
        if (loss.removals() > 0) {
            next.accept(
                    "the entry is removed by force",
                    state.withLedger(ControllerWrites.initialEntry()).withTruth(state.truth.withRemovedEntry()));
        }
        if (loss.requests() > 0 && !loss.requested()) {
            ModelState requested = state.withTruth(state.truth.withRequestedDeletion());
            next.accept("a user deletes the entry", hasFinalizers ? requested : forget(requested));
        }
    }

    private static ModelState forget(ModelState state) {
        return state.withLedger(ControllerWrites.initialEntry()).withTruth(state.truth.withDeletedEntry());
    }

    /** Completes a requested deletion, as the API server does with the write that removes the last finalizer. */
    static ModelState withRequestedDeletion(ModelState state) {
        return state.truth.loss().requested() && !state.ledger().isProtected() ? forget(state) : state;
    }

    private static ModelState endRun(ModelState state, int execution, RunState runState, GroundTruth truth) {
        return state.withRun(execution, state.run(execution).withState(runState))
                .withTruth(truth);
    }
}
