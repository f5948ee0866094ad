package dev.escapement.governor.model;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.TargetScenario;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.model.ModelValues.ControllerStep;
import dev.escapement.governor.model.ModelValues.PendingWrite;
import dev.escapement.governor.model.ModelValues.Phase;
import dev.escapement.governor.model.ModelValues.Run;
import dev.escapement.governor.model.ModelValues.RunState;
import dev.escapement.governor.model.ModelValues.Status;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * What can happen next in a world: what the controllers read and decide. What they write is in
 * {@link ControllerWrites}. All decisions and ledger transitions are those of the governor itself.
 *
 * <p>A controller reads through a cache that may be arbitrarily old, is told things twice, and may be paused or killed
 * before each of its writes. Two of them may believe that they lead.
 */
final class ControllerModel {

    static final Instant NOW = TargetScenario.START;

    /** Without waiting times, so that the model needs no clock; the limit is low, so that it is reached. */
    static final Policy POLICY = PolicyText.parse(
            Map.of("cooldown-period", "0", "base-cooldown-period", "0", "max-consecutive-failures", "1"));

    private final ProtocolMutant mutant;
    private final ControllerWrites writes;
    private final EnvironmentModel environment;
    private final Map<Long, Boolean> skips = new HashMap<>();

    ControllerModel(ProtocolMutant mutant) {
        this.mutant = mutant;
        this.writes = new ControllerWrites(mutant);
        // These two do not use the ledger as it is meant, so of course it does not remember what broke: of interest is
        // whether they let two run at once.
        this.environment = new EnvironmentModel(
                mutant != ProtocolMutant.START_BEFORE_COMMIT && mutant != ProtocolMutant.LIST_THEN_CREATE);
    }

    /** Two workflows take turns. */
    private static final List<GateRequest> REQUESTS = IntStream.range(0, 3)
            .mapToObj(e -> TargetScenario.request("w" + e % 2, e))
            .toList();

    static GateRequest request(int execution) {
        return REQUESTS.get(execution);
    }

    /** Every next world, with a note on how it comes about. */
    void addSteps(ModelState world, BiConsumer<String, ModelState> reached) {
        BiConsumer<String, ModelState> next = (note, changed) ->
                reached.accept(note, writes.withoutStaleWrites(changed).canonical());
        environment.addSteps(world, next);
        for (int c = 0; c < world.controllers(); c++) {
            if (world.isIdle(c)) {
                for (int e = 0; e < world.executions(); e++) {
                    addReconcileSteps(world, c, e, next);
                }
            } else {
                next.accept("c" + c + " dies", world.withoutWork(c));
                writes.addWriteSteps(world, c, next);
            }
        }
    }

    /** One look of controller {@code c} at execution {@code e}. */
    private void addReconcileSteps(ModelState world, int c, int e, BiConsumer<String, ModelState> next) {
        for (int xv = 0; xv < world.statusVersions(e); xv++) {
            Status status = world.status(e, xv);
            for (int lv = 0; lv < world.ledgerVersions(); lv++) {
                LedgerEntry entry = world.ledger(lv);
                boolean holds = entry.heldBy(request(e).execution()).isPresent();
                if (status.phase() == Phase.PENDING) {
                    addPendingSteps(world, c, e, xv, lv, next);
                } else if (status.phase() == Phase.RUNNING) {
                    addRunningSteps(world, c, e, xv, entry, next);
                } else if (status.phase().isFinal() && holds) {
                    PendingWrite work =
                            PendingWrite.of(e, ControllerStep.RELEASE).outcome(status.releaseOutcome());
                    next.accept("c%d will release %d".formatted(c, e), world.withWork(c, work));
                } else if (status.phase() == Phase.GONE && holds) {
                    next.accept(
                            "c%d will heal after %d".formatted(c, e),
                            world.withWork(c, PendingWrite.of(e, ControllerStep.HEAL)));
                }
            }
        }
        addCleanUpSteps(world, c, e, next);
    }

    private void addPendingSteps(ModelState world, int c, int e, int xv, int lv, BiConsumer<String, ModelState> next) {
        LedgerEntry entry = world.ledger(lv);
        if (mutant == ProtocolMutant.LIST_THEN_CREATE) {
            listThenCreate(world, c, e, xv, next);
            return;
        }
        var own = entry.heldBy(request(e).execution());
        if (own.isPresent()) {
            String run = own.get().holder().runUid();
            PendingWrite work = PendingWrite.of(e, run.isEmpty() ? ControllerStep.FAIL : ControllerStep.RECORD)
                    .run(run)
                    .withStatusVersion(xv);
            next.accept("c%d resumes %d".formatted(c, e), world.withWork(c, work));
        } else if (entry instanceof Held held) {
            // Any version of the holder may be seen. One that is final is folded in; one that is gone is healed first.
            int holder = executionNumber(held);
            for (int hv = 0; hv < world.statusVersions(holder); hv++) {
                Status seen = world.status(holder, hv);
                if (seen.phase().isFinal()) {
                    decide(world, c, e, xv, lv, held.release(seen.releaseOutcome(), NOW), next);
                } else if (seen.phase() != Phase.GONE) {
                    decide(world, c, e, xv, lv, held, next);
                }
            }
        } else {
            decide(world, c, e, xv, lv, entry, next);
        }
    }

    private void decide(
            ModelState world, int c, int e, int xv, int lv, LedgerEntry entry, BiConsumer<String, ModelState> next) {
        int number = world.values.entries.indexOf(entry);
        if (skips.computeIfAbsent(
                ((long) number << 8) | e,
                unknown -> Gate.decide(request(e), entry, POLICY, NOW) instanceof GateDecision.Skip)) {
            PendingWrite work = PendingWrite.of(e, ControllerStep.SKIP).withStatusVersion(xv);
            next.accept("c%d decides to skip %d".formatted(c, e), world.withWork(c, work));
        } else if (mutant == ProtocolMutant.NO_SECOND_LOOK || world.status(e).phase() == Phase.PENDING) {
            int version = mutant == ProtocolMutant.NO_SECOND_LOOK ? xv : world.statusVersions(e) - 1;
            PendingWrite work = PendingWrite.of(e, ControllerStep.PREPARE)
                    .withStatusVersion(version)
                    .withLedgerVersion(lv, number);
            next.accept("c%d admits %d".formatted(c, e), world.withWork(c, work));
        }
    }

    private void listThenCreate(ModelState world, int c, int e, int xv, BiConsumer<String, ModelState> next) {
        boolean busy = false;
        for (int other = 0; other < world.executions(); other++) {
            busy |= other != e && world.status(other).phase() == Phase.RUNNING;
        }
        PendingWrite work = PendingWrite.of(e, busy ? ControllerStep.SKIP : ControllerStep.PREPARE)
                .withStatusVersion(xv);
        next.accept("c%d %s %d".formatted(c, busy ? "decides to skip" : "admits", e), world.withWork(c, work));
    }

    private void addRunningSteps(
            ModelState world, int c, int e, int xv, LedgerEntry entry, BiConsumer<String, ModelState> next) {
        String named = world.status(e, xv).run();
        var held = entry.heldBy(request(e).execution());
        for (int rv = 0; rv < world.runVersions(e); rv++) {
            Run run = world.run(e, rv);
            if (!run.uid().equals(named)) {
                // Gone, or in its place a run that a late controller prepared: the one that the status names is lost.
                if (rv == world.runVersions(e) - 1 || mutant == ProtocolMutant.LOST_ON_A_STALE_VIEW) {
                    finish(world, c, e, xv, new ExecutionOutcome.FailedDuringExecution("PipelineRunDeleted"), next);
                }
            } else if (run.state() == RunState.SUSPENDED
                    && held.isPresent()
                    && held.get().holder().runUid().equals(named)) {
                PendingWrite work =
                        PendingWrite.of(e, ControllerStep.START).run(named).withRunVersion(rv);
                next.accept("c%d will start %d".formatted(c, e), world.withWork(c, work));
            } else if (run.state() == RunState.SUCCEEDED) {
                finish(world, c, e, xv, new ExecutionOutcome.Completed(), next);
            } else if (run.state() == RunState.FAILED_DURING) {
                finish(world, c, e, xv, new ExecutionOutcome.FailedDuringExecution("TaskFailed"), next);
            } else if (run.state() == RunState.FAILED_BEFORE && held.isPresent()) {
                finish(world, c, e, xv, held.get().failedStartOutcome("ImagePullBackOff", NOW, POLICY), next);
            }
        }
    }

    private void finish(
            ModelState world, int c, int e, int xv, ExecutionOutcome outcome, BiConsumer<String, ModelState> next) {
        ControllerStep step =
                mutant == ProtocolMutant.RELEASE_BEFORE_STATUS ? ControllerStep.RELEASE : ControllerStep.FINISH;
        PendingWrite work = PendingWrite.of(e, step).withStatusVersion(xv).outcome(outcome);
        next.accept("c%d will finish %d".formatted(c, e), world.withWork(c, work));
    }

    /** Runs that no ledger entry names are removed, and the deletion of an execution resets what it left. */
    private void addCleanUpSteps(ModelState world, int c, int e, BiConsumer<String, ModelState> next) {
        Phase phase = world.status(e).phase();
        boolean over = phase.isFinal() || phase == Phase.GONE;
        if (over
                && world.run(e).state() == RunState.SUSPENDED
                && world.ledger().heldBy(request(e).execution()).isEmpty()) {
            next.accept("c%d removes the suspended run of %d".formatted(c, e), world.withRun(e, Run.NONE));
        }
        if (phase == Phase.GONE) {
            LedgerEntry forgotten = writes.forget(world.ledger(), request(e).execution());
            if (!forgotten.equals(world.ledger())) {
                next.accept(
                        "c%d forgets %d".formatted(c, e),
                        world.withLedger(forgotten).withTruth(writes.truthAfterForget(world.truth, e)));
            }
        }
    }

    static int executionNumber(Held held) {
        String uid = held.holder().execution().uid();
        return Integer.parseInt(uid.substring(uid.indexOf('-') + 1));
    }

    static Clearance clearance() {
        // Before everything that fails later: the model has no clock.
        return new Clearance("anna", "looked at it", NOW.minusSeconds(1));
    }
}
