package dev.escapement.governor.model;

import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.model.ModelValues.Run;
import dev.escapement.governor.model.ModelValues.RunState;
import dev.escapement.governor.model.ModelValues.Status;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What happens without the controllers: runs end or vanish, people delete executions and clear targets. */
final class EnvironmentModel {

    private final boolean runsBreak;

    EnvironmentModel(boolean runsBreak) {
        this.runsBreak = runsBreak;
    }

    void addSteps(ModelState world, BiConsumer<String, ModelState> next) {
        GroundTruth truth = world.truth;
        for (int e = 0; e < world.executions(); e++) {
            Run run = world.run(e);
            if (run.state() == RunState.RUNNING) {
                next.accept("run %d succeeds".formatted(e), endRun(world, e, RunState.SUCCEEDED, truth.succeeded(e)));
                if (runsBreak) {
                    next.accept(
                            "run %d breaks".formatted(e),
                            endRun(world, e, RunState.FAILED_DURING, truth.withBroken(e)));
                }
                next.accept("run %d cannot start".formatted(e), endRun(world, e, RunState.FAILED_BEFORE, truth));
                if (truth.losses() > 0) {
                    next.accept(
                            "run %d vanishes".formatted(e),
                            world.withRun(e, Run.NONE)
                                    .withTruth(truth.withLostRun().withBroken(e)));
                }
            }
            if (run.state().hasEnded() && world.status(e).phase().isFinal()) {
                next.accept("run %d is pruned".formatted(e), world.withRun(e, Run.NONE));
            }
            if (truth.deletions() > 0 && world.status(e).phase() != ModelValues.Phase.GONE) {
                next.accept(
                        "execution %d is deleted".formatted(e),
                        world.withStatus(e, Status.GONE).withTruth(truth.withDeletion()));
            }
        }
        if (truth.clearances() > 0) {
            Optional<LedgerEntry> cleared = world.ledger().clear(ControllerModel.clearance());
            cleared.ifPresent(entry -> next.accept(
                    "a person clears the target", world.withLedger(entry).withTruth(truth.withClearance())));
        }
    }

    private static ModelState endRun(ModelState world, int execution, RunState state, GroundTruth truth) {
        return world.withRun(execution, world.run(execution).withState(state)).withTruth(truth);
    }
}
