package dev.escapement.governor.model;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.model.ModelValues.Phase;
import dev.escapement.governor.model.ModelValues.RunState;
import java.util.Optional;

/** Checks safety (no violation) and liveness (every state can settle). */
final class InvariantCheck {

    private InvariantCheck() {}

    static Optional<String> findViolation(ModelState state) {
        GroundTruth truth = state.truth;
        if (!truth.violation().isEmpty()) {
            return Optional.of(truth.violation());
        }
        int active = 0;
        int running = 0;
        for (int e = 0; e < state.executions(); e++) {
            Phase phase = state.status(e).phase();
            active += state.run(e).state() == RunState.RUNNING ? 1 : 0;
            running += phase == Phase.RUNNING ? 1 : 0;
            if (truth.starts(e) > 1) {
                return Optional.of("execution %d was started twice".formatted(e));
            }
            if (phase == Phase.SKIPPED && truth.starts(e) > 0) {
                return Optional.of("execution %d ran although it is Skipped".formatted(e));
            }
            if (phase == Phase.COMPLETED && !truth.hasSucceeded(e)) {
                return Optional.of("execution %d is Completed but did not succeed".formatted(e));
            }
        }
        if (active > 1) {
            return Optional.of("two active runs on one target");
        }
        if (running > 1) {
            return Optional.of("two executions Running on one target");
        }
        return hasEpochDecreased(state) ? Optional.of("the epoch decreased") : findLostBlock(state);
    }

    /** The execution that broke the target still holds it or is recorded as a block, until it is cleared. */
    private static Optional<String> findLostBlock(ModelState state) {
        int broken = state.truth.brokenBy();
        LedgerEntry entry = state.ledger();
        boolean remembered = broken < 0
                || state.truth.loss().memoryLost()
                || entry.heldBy(ControllerModel.request(broken).execution()).isPresent()
                || entry.memory().block(FailureScope.TARGET, "w").isPresent();
        return remembered ? Optional.empty() : Optional.of("the block of execution %d was lost".formatted(broken));
    }

    private static boolean hasEpochDecreased(ModelState state) {
        int last = state.ledgerVersions() - 1;
        if (last == 0) {
            return false;
        }
        LedgerEntry before = state.ledger(last - 1);
        LedgerEntry after = state.ledger(last);
        if (ControllerWrites.isAbsent(before) || ControllerWrites.isAbsent(after)) {
            return false; // The epoch of a new entry follows the clock, which the model does not have.
        }
        boolean taken = after instanceof Held && before instanceof Free;
        return after.epoch() < before.epoch() || (taken && after.epoch() == before.epoch());
    }

    /** Returns whether every execution is final or deleted, the target is free and no run is left. */
    static boolean isSettled(ModelState state) {
        for (int e = 0; e < state.executions(); e++) {
            Phase phase = state.status(e).phase();
            RunState run = state.run(e).state();
            boolean over = phase.isFinal() || phase == Phase.GONE;
            if (!over || run == RunState.SUSPENDED || run == RunState.RUNNING) {
                return false;
            }
        }
        return !(state.ledger() instanceof Held);
    }
}
