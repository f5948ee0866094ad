package dev.escapement.governor.model;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.model.ModelValues.Phase;
import dev.escapement.governor.model.ModelValues.RunState;
import java.util.Optional;

/** What must never be, and what must always remain possible. */
final class InvariantCheck {

    private InvariantCheck() {}

    static Optional<String> findViolation(ModelState world) {
        GroundTruth truth = world.truth;
        if (!truth.violation().isEmpty()) {
            return Optional.of(truth.violation());
        }
        int going = 0;
        int running = 0;
        for (int e = 0; e < world.executions(); e++) {
            Phase phase = world.status(e).phase();
            going += world.run(e).state() == RunState.RUNNING ? 1 : 0;
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
        if (going > 1) {
            return Optional.of("two runs at work on one target");
        }
        if (running > 1) {
            return Optional.of("two executions Running on one target");
        }
        return hasEpochFallen(world) ? Optional.of("the epoch fell") : findLostBlock(world);
    }

    /** Whatever broke the target either still holds it or is remembered as a block, until it is cleared. */
    private static Optional<String> findLostBlock(ModelState world) {
        int broken = world.truth.brokenBy();
        LedgerEntry entry = world.ledger();
        boolean remembered = broken < 0
                || entry.heldBy(ControllerModel.request(broken).execution()).isPresent()
                || entry.memory().block(FailureScope.TARGET, "w").isPresent();
        return remembered ? Optional.empty() : Optional.of("the block of execution %d was lost".formatted(broken));
    }

    private static boolean hasEpochFallen(ModelState world) {
        int last = world.ledgerVersions() - 1;
        if (last == 0) {
            return false;
        }
        LedgerEntry before = world.ledger(last - 1);
        LedgerEntry after = world.ledger(last);
        boolean taken = after instanceof Held held
                && before.heldBy(held.holder().execution()).isEmpty();
        return after.epoch() < before.epoch() || (taken && after.epoch() == before.epoch());
    }

    /** Everything is over: every execution final or gone, the target free, no run left behind. */
    static boolean isSettled(ModelState world) {
        for (int e = 0; e < world.executions(); e++) {
            Phase phase = world.status(e).phase();
            RunState run = world.run(e).state();
            boolean over = phase.isFinal() || phase == Phase.GONE;
            if (!over || run == RunState.SUSPENDED || run == RunState.RUNNING) {
                return false;
            }
        }
        return !(world.ledger() instanceof Held);
    }
}
