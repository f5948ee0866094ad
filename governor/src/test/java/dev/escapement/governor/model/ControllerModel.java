package dev.escapement.governor.model;

import dev.escapement.backoff.Backoff;
import dev.escapement.governor.Policy;
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
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Models what controllers read and decide; {@link ControllerWrites} models what they write. All decisions and ledger
 * transitions are those of the governor itself.
 *
 * <p>A controller reads through a cache of any age, receives events twice, and may be paused or killed before each of
 * its writes. Two of them may believe that they lead.
 */
final class ControllerModel {

    static final Instant NOW = TargetScenario.START;

    /** Without delays, so that the model needs no clock; with a low limit, so that it is reached. */
    static final Policy POLICY = Policy.DEFAULT
            .withCooldown(Duration.ZERO)
            .withBackoff(Backoff.builder().base(Duration.ZERO).build())
            .withMaxConsecutiveFailures(1);

    /**
     * The run of an execution that waits is removed if another one acquires the target, and prepared again later. With
     * reads of any age that can repeat without end.
     */
    private static final int MAX_RUNS_OF_WAITING = 5;

    private final ProtocolMutant mutant;
    private final ControllerWrites writes;
    private final UnrecordedRunModel checks;
    private final EnvironmentModel environment;
    private final Map<Long, Boolean> skips = new HashMap<>();
    private final Optional<WaitModel> waiting;

    /** @param requestsWait whether all requests wait; otherwise none does */
    ControllerModel(ProtocolMutant mutant, boolean requestsWait) {
        this.mutant = mutant;
        this.waiting = requestsWait ? Optional.of(new WaitModel(mutant)) : Optional.empty();
        this.checks = new UnrecordedRunModel(mutant, requestsWait);
        this.writes = new ControllerWrites(mutant, requestsWait, checks);
        // These two bypass the ledger, so it cannot remember what broke. They are checked for two runs at once only.
        this.environment = new EnvironmentModel(
                mutant != ProtocolMutant.START_BEFORE_COMMIT && mutant != ProtocolMutant.LIST_THEN_CREATE,
                mutant != ProtocolMutant.NO_FINALIZER);
    }

    /** Two workflows take turns. */
    private static final List<GateRequest> REQUESTS = IntStream.range(0, 3)
            .mapToObj(e -> TargetScenario.request("w" + e % 2, e))
            .toList();

    static GateRequest request(int execution) {
        return REQUESTS.get(execution);
    }

    /** Reports every next state, with a note on the step that leads to it. */
    void addSteps(ModelState state, BiConsumer<String, ModelState> reached) {
        BiConsumer<String, ModelState> next = (note, changed) -> reached.accept(
                note,
                writes.withoutStaleWrites(EnvironmentModel.withRequestedDeletion(changed))
                        .canonical());
        environment.addSteps(state, next);
        waiting.ifPresent(model -> model.addExpirySteps(state, next));
        for (int c = 0; c < state.controllers(); c++) {
            if (state.isIdle(c)) {
                for (int e = 0; e < state.executions(); e++) {
                    addReconcileSteps(state, c, e, next);
                }
            } else {
                next.accept("c" + c + " dies", state.withoutWork(c));
                writes.addWriteSteps(state, c, next);
            }
        }
    }

    /** Adds the steps of controller {@code c} that reconciles execution {@code e}. */
    private void addReconcileSteps(ModelState state, int c, int e, BiConsumer<String, ModelState> next) {
        for (int xv = 0; xv < state.statusVersions(e); xv++) {
            Status status = state.status(e, xv);
            for (int lv = 0; lv < state.ledgerVersions(); lv++) {
                LedgerEntry entry = state.ledger(lv);
                boolean holds = entry.heldBy(request(e).execution()).isPresent();
                if (status.phase() == Phase.PENDING) {
                    addPendingSteps(state, c, e, xv, lv, next);
                } else if (status.phase() == Phase.RUNNING) {
                    addRunningSteps(state, c, e, xv, entry, next);
                } else if (status.phase().isFinal() && holds) {
                    PendingWrite work =
                            PendingWrite.of(e, ControllerStep.RELEASE).outcome(status.releaseOutcome());
                    next.accept("c%d will release %d".formatted(c, e), state.withWork(c, work));
                } else if (status.phase() == Phase.GONE && holds) {
                    next.accept(
                            "c%d will recover the lock of %d".formatted(c, e),
                            state.withWork(c, PendingWrite.of(e, ControllerStep.RECOVER)));
                }
            }
        }
        addCleanUpSteps(state, c, e, next);
        checks.addRestoreSteps(state, c, e, next);
    }

    private void addPendingSteps(ModelState state, int c, int e, int xv, int lv, BiConsumer<String, ModelState> next) {
        LedgerEntry entry = state.ledger(lv);
        if (mutant == ProtocolMutant.LIST_THEN_CREATE) {
            listThenCreate(state, c, e, xv, next);
            return;
        }
        var own = entry.heldBy(request(e).execution());
        if (own.isPresent()) {
            checks.resume(state, c, e, xv, next);
        } else if (entry instanceof Held held) {
            // Any version of the holder may be read. A final one is released first; a deleted one needs recovery.
            int holder = executionNumber(held);
            for (int hv = 0; hv < state.statusVersions(holder); hv++) {
                Status seen = state.status(holder, hv);
                if (seen.phase().isFinal()) {
                    decide(state, c, e, xv, lv, held.release(seen.releaseOutcome(), NOW), next);
                } else if (seen.phase() != Phase.GONE) {
                    decide(state, c, e, xv, lv, held, next);
                }
            }
        } else {
            decide(state, c, e, xv, lv, entry, next);
        }
    }

    private void decide(
            ModelState state, int c, int e, int xv, int lv, LedgerEntry entry, BiConsumer<String, ModelState> next) {
        waiting.ifPresentOrElse(
                model -> {
                    decideWaiting(model.decide(state, e, entry, false), state, c, e, xv, lv, entry, next);
                    decideWaiting(model.decide(state, e, entry, true), state, c, e, xv, lv, entry, next);
                },
                () -> decideAtOnce(state, c, e, xv, lv, entry, next));
    }

    /** An execution that waits stays as it is: what wakes it is another step. */
    private void decideWaiting(
            GateDecision decision,
            ModelState state,
            int c,
            int e,
            int xv,
            int lv,
            LedgerEntry entry,
            BiConsumer<String, ModelState> next) {
        if (decision instanceof GateDecision.Skip) {
            PendingWrite work = PendingWrite.of(e, ControllerStep.SKIP).withStatusVersion(xv);
            next.accept("c%d decides to skip %d".formatted(c, e), state.withWork(c, work));
        } else if (decision instanceof GateDecision.Admit
                && state.status(e).phase() == Phase.PENDING
                && state.truth.runs() < MAX_RUNS_OF_WAITING) {
            PendingWrite work = PendingWrite.of(e, ControllerStep.PREPARE)
                    .withStatusVersion(state.statusVersions(e) - 1)
                    .withLedgerVersion(lv, state.values.entries.indexOf(entry));
            next.accept("c%d admits %d".formatted(c, e), WaitModel.checkDeadline(state.withWork(c, work), e));
        }
    }

    private void decideAtOnce(
            ModelState state, int c, int e, int xv, int lv, LedgerEntry entry, BiConsumer<String, ModelState> next) {
        int number = state.values.entries.indexOf(entry);
        if (skips.computeIfAbsent(
                ((long) number << 8) | e,
                unknown -> Gate.decide(request(e), entry, POLICY, NOW) instanceof GateDecision.Skip)) {
            PendingWrite work = PendingWrite.of(e, ControllerStep.SKIP).withStatusVersion(xv);
            next.accept("c%d decides to skip %d".formatted(c, e), state.withWork(c, work));
        } else if (checks.mustWaitBeforeAcquisition(state, e)) {
            return;
        } else if (mutant == ProtocolMutant.NO_SECOND_LOOK || state.status(e).phase() == Phase.PENDING) {
            int version = mutant == ProtocolMutant.NO_SECOND_LOOK ? xv : state.statusVersions(e) - 1;
            PendingWrite work = PendingWrite.of(e, ControllerStep.PREPARE)
                    .withStatusVersion(version)
                    .withLedgerVersion(lv, number);
            next.accept("c%d admits %d".formatted(c, e), state.withWork(c, work));
        }
    }

    private void listThenCreate(ModelState state, int c, int e, int xv, BiConsumer<String, ModelState> next) {
        boolean busy = false;
        for (int other = 0; other < state.executions(); other++) {
            busy |= other != e && state.status(other).phase() == Phase.RUNNING;
        }
        PendingWrite work = PendingWrite.of(e, busy ? ControllerStep.SKIP : ControllerStep.PREPARE)
                .withStatusVersion(xv);
        next.accept("c%d %s %d".formatted(c, busy ? "decides to skip" : "admits", e), state.withWork(c, work));
    }

    private void addRunningSteps(
            ModelState state, int c, int e, int xv, LedgerEntry entry, BiConsumer<String, ModelState> next) {
        String named = state.status(e, xv).run();
        var held = entry.heldBy(request(e).execution());
        for (int rv = 0; rv < state.runVersions(e); rv++) {
            Run run = state.run(e, rv);
            if (!run.uid().equals(named)) {
                // The run is gone, or a late controller prepared another one: the run of the status is lost.
                if (rv == state.runVersions(e) - 1 || mutant == ProtocolMutant.LOST_ON_A_STALE_VIEW) {
                    finish(state, c, e, xv, new ExecutionOutcome.FailedDuringExecution("PipelineRunDeleted"), next);
                }
            } else if (run.state() == RunState.SUSPENDED
                    && held.isPresent()
                    && held.get().holder().runUid().equals(named)) {
                PendingWrite work =
                        PendingWrite.of(e, ControllerStep.START).run(named).withRunVersion(rv);
                next.accept("c%d will start %d".formatted(c, e), state.withWork(c, work));
            } else if (run.state() == RunState.SUCCEEDED) {
                finish(state, c, e, xv, new ExecutionOutcome.Completed(), next);
            } else if (run.state() == RunState.FAILED_DURING) {
                finish(state, c, e, xv, new ExecutionOutcome.FailedDuringExecution("TaskFailed"), next);
            } else if (run.state() == RunState.FAILED_BEFORE && held.isPresent()) {
                finish(state, c, e, xv, held.get().failedStartOutcome("ImagePullBackOff", NOW, POLICY), next);
            }
        }
    }

    private void finish(
            ModelState state, int c, int e, int xv, ExecutionOutcome outcome, BiConsumer<String, ModelState> next) {
        ControllerStep step =
                mutant == ProtocolMutant.RELEASE_BEFORE_STATUS ? ControllerStep.RELEASE : ControllerStep.FINISH;
        PendingWrite work = PendingWrite.of(e, step).withStatusVersion(xv).outcome(outcome);
        next.accept("c%d will finish %d".formatted(c, e), state.withWork(c, work));
    }

    /** Removes runs that no ledger entry names, and resets the memory of deleted executions. */
    private void addCleanUpSteps(ModelState state, int c, int e, BiConsumer<String, ModelState> next) {
        Phase phase = state.status(e).phase();
        boolean finished = phase.isFinal() || phase == Phase.GONE;
        if (finished
                && state.run(e).state() == RunState.SUSPENDED
                && state.ledger().heldBy(request(e).execution()).isEmpty()) {
            next.accept("c%d removes the suspended run of %d".formatted(c, e), state.withRun(e, Run.NONE));
        }
        if (phase == Phase.GONE) {
            LedgerEntry forgotten = writes.forget(state.ledger(), request(e).execution());
            if (!forgotten.equals(state.ledger())) {
                next.accept(
                        "c%d forgets %d".formatted(c, e),
                        state.withLedger(forgotten).withTruth(writes.truthAfterForget(state.truth, e)));
            }
        }
    }

    static int executionNumber(Held held) {
        String uid = held.holder().execution().uid();
        return Integer.parseInt(uid.substring(uid.indexOf('-') + 1));
    }

    static Clearance clearance() {
        // Earlier than later failures: the model has no clock.
        return new Clearance("anna", "looked at it", NOW.minusSeconds(1));
    }
}
