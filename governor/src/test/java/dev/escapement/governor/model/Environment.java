package dev.escapement.governor.model;

import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.model.Facts.Run;
import dev.escapement.governor.model.Facts.RunState;
import dev.escapement.governor.model.Facts.Status;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What happens without the controllers: runs end or vanish, people delete executions and clear targets. */
final class Environment {

    private final boolean runsBreak;

    Environment(boolean runsBreak) {
        this.runsBreak = runsBreak;
    }

    void steps(World world, BiConsumer<String, World> next) {
        Truth truth = world.truth;
        for (int e = 0; e < world.executions(); e++) {
            Run run = world.run(e);
            if (run.state() == RunState.GOING) {
                next.accept("run %d succeeds".formatted(e), ends(world, e, RunState.SUCCEEDED, truth.succeeded(e)));
                if (runsBreak) {
                    next.accept("run %d breaks".formatted(e), ends(world, e, RunState.FAILED_DURING, truth.broken(e)));
                }
                next.accept("run %d cannot start".formatted(e), ends(world, e, RunState.FAILED_BEFORE, truth));
                if (truth.losses() > 0) {
                    next.accept(
                            "run %d vanishes".formatted(e),
                            world.withRun(e, Run.NONE).withTruth(truth.lost().broken(e)));
                }
            }
            if (run.state().hasEnded() && world.status(e).phase().isFinal()) {
                next.accept("run %d is pruned".formatted(e), world.withRun(e, Run.NONE));
            }
            if (truth.deletions() > 0 && world.status(e).phase() != Facts.Phase.GONE) {
                next.accept(
                        "execution %d is deleted".formatted(e),
                        world.withStatus(e, Status.GONE).withTruth(truth.deleted()));
            }
        }
        if (truth.clearances() > 0) {
            Optional<LedgerEntry> cleared = world.ledger().clear(Protocol.clearance());
            cleared.ifPresent(entry -> next.accept(
                    "a person clears the target", world.withLedger(entry).withTruth(truth.cleared())));
        }
    }

    private static World ends(World world, int execution, RunState state, Truth truth) {
        return world.withRun(execution, world.run(execution).in(state)).withTruth(truth);
    }
}
