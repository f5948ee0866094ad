package dev.escapement.governor.model;

import dev.escapement.governor.Target;
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
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The writes of the protocol, each under the version that its writer saw. A write that comes too late does nothing. */
final class ControllerWrites {

    private final ProtocolMutant mutant;

    ControllerWrites(ProtocolMutant mutant) {
        this.mutant = mutant;
    }

    void addWriteSteps(ModelState world, int c, BiConsumer<String, ModelState> next) {
        PendingWrite work = world.work(c);
        switch (work.step()) {
            case SKIP -> skip(world, c, work, next);
            case PREPARE -> prepare(world, c, work, next);
            case COMMIT -> commit(world, c, work, next);
            case EARLY_START -> earlyStart(world, c, work, next);
            case RECORD -> record(world, c, work, next);
            case FAIL -> fail(world, c, work, next);
            case START -> start(world, c, work, next);
            case FINISH -> finish(world, c, work, next);
            case RELEASE -> release(world, c, work, next);
            case HEAL -> heal(world, c, work, next);
            case HEAL_RELEASE -> healRelease(world, c, work, next);
        }
    }

    /**
     * Without the works that come too late whatever happens: versions only grow, so such a controller can only give up,
     * and one that has given up is an idle one. This keeps the number of worlds within reach and loses none that
     * matters.
     */
    ModelState withoutStaleWrites(ModelState world) {
        ModelState pruned = world;
        for (int c = 0; c < world.controllers(); c++) {
            if (!world.isIdle(c) && isStale(world, world.work(c))) {
                pruned = pruned.withoutWork(c);
            }
        }
        return pruned;
    }

    private boolean isStale(ModelState world, PendingWrite work) {
        int e = work.execution();
        return switch (work.step()) {
            case SKIP -> mutant != ProtocolMutant.NO_VERSION_ON_SKIP && !isCurrent(world, work);
            case RECORD, FAIL, FINISH -> !isCurrent(world, work);
            case COMMIT -> work.ledgerVersion() != world.ledgerVersions() - 1;
            case START -> mutant != ProtocolMutant.NO_VERSION_ON_START && work.runVersion() != world.runVersions(e) - 1;
            case RELEASE, HEAL, HEAL_RELEASE ->
                world.ledger().heldBy(ControllerModel.request(e).execution()).isEmpty();
            case PREPARE, EARLY_START -> false;
        };
    }

    private void skip(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        Phase phase = world.status(e).phase();
        boolean blind = mutant == ProtocolMutant.NO_VERSION_ON_SKIP && !phase.isFinal() && phase != Phase.GONE;
        if (isCurrent(world, work) || blind) {
            ModelState skipped = world.withStatus(e, Status.SKIPPED).withoutWork(c);
            if (mutant == ProtocolMutant.SKIPPED_COUNTS_AS_PREVIOUS && world.ledger() instanceof Free free) {
                skipped = skipped.withLedger(free.withContents(free.epoch(), TargetMemory.EMPTY, Optional.empty()));
            }
            next.accept("c%d skips %d".formatted(c, e), skipped);
        }
    }

    private void prepare(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        ControllerStep then = mutant == ProtocolMutant.LIST_THEN_CREATE ? ControllerStep.RECORD : ControllerStep.COMMIT;
        Run run = world.run(e);
        if (run.state() != RunState.NONE) {
            next.accept(
                    "c%d adopts the run of %d".formatted(c, e),
                    world.withWork(c, work.withStep(then).run(run.uid())));
            return;
        }
        String uid = "r" + world.truth.runs();
        boolean going = mutant == ProtocolMutant.START_BEFORE_COMMIT;
        GroundTruth truth = going ? world.truth.withPreparedRun().withStart(e) : world.truth.withPreparedRun();
        next.accept(
                "c%d prepares %d".formatted(c, e),
                world.withRun(e, new Run(uid, going ? RunState.RUNNING : RunState.SUSPENDED))
                        .withTruth(truth)
                        .withWork(c, work.withStep(then).run(uid)));
        if (world.truth.refusals() > 0) {
            next.accept(
                    "c%d is refused a run for %d".formatted(c, e),
                    world.withTruth(world.truth.withRefusal()).withWork(c, work.withStep(then)));
        }
    }

    private void commit(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        if (work.ledgerVersion() != world.ledgerVersions() - 1) {
            return;
        }
        Free free = (Free) world.values.entries.valueAt(work.entry());
        GroundTruth truth = world.truth;
        if (world.ledger() instanceof Held folded) {
            truth = countOutcome(
                    truth,
                    ControllerModel.executionNumber(folded),
                    world.status(ControllerModel.executionNumber(folded)).releaseOutcome());
        }
        Holder holder = new Holder(
                ControllerModel.request(e).execution(),
                ControllerModel.request(e).workflow(),
                work.run(),
                work.run(),
                ControllerModel.NOW);
        ControllerStep then = work.run().isEmpty()
                ? ControllerStep.FAIL
                : mutant == ProtocolMutant.START_BEFORE_RECORD ? ControllerStep.EARLY_START : ControllerStep.RECORD;
        next.accept(
                "c%d commits %d".formatted(c, e),
                world.withLedger(free.acquire(holder))
                        .withTruth(truth.admitted(e, ControllerModel.POLICY.maxConsecutiveFailures()))
                        .withWork(c, work.withStep(then)));
    }

    private void earlyStart(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        if (world.run(e).equals(new Run(work.run(), RunState.SUSPENDED))) {
            next.accept(
                    "c%d starts %d".formatted(c, e),
                    withStartedRun(world, e).withWork(c, work.withStep(ControllerStep.RECORD)));
        }
    }

    private void record(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        if (isCurrent(world, work) && world.status(e).phase() == Phase.PENDING) {
            ModelState running = world.withStatus(e, Status.running(work.run()));
            boolean mine = world.run(e).equals(new Run(work.run(), RunState.SUSPENDED));
            next.accept(
                    "c%d records %d Running".formatted(c, e),
                    mine
                            ? running.withWork(
                                    c, work.withStep(ControllerStep.START).withRunVersion(world.runVersions(e) - 1))
                            : running.withoutWork(c));
        }
    }

    private void fail(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        Optional<Held> held = world.ledger().heldBy(ControllerModel.request(e).execution());
        if (isCurrent(world, work) && world.status(e).phase() == Phase.PENDING && held.isPresent()) {
            ExecutionOutcome outcome =
                    held.get().failedStartOutcome("Forbidden", ControllerModel.NOW, ControllerModel.POLICY);
            next.accept(
                    "c%d records %d Failed".formatted(c, e),
                    world.withStatus(e, Status.ended(outcome))
                            .withWork(c, work.withStep(ControllerStep.RELEASE).outcome(outcome)));
        }
    }

    private void start(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        Run run = world.run(e);
        boolean current = run.uid().equals(work.run()) && work.runVersion() == world.runVersions(e) - 1;
        boolean blind = mutant == ProtocolMutant.NO_VERSION_ON_START && run.state() == RunState.SUSPENDED;
        if (current || blind) {
            next.accept(
                    "c%d starts %d".formatted(c, e), withStartedRun(world, e).withoutWork(c));
        }
    }

    private void finish(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        if (isCurrent(world, work) && world.status(e).phase() == Phase.RUNNING) {
            ExecutionOutcome outcome = work.outcome().orElseThrow();
            ModelState ended = world.withStatus(e, Status.ended(outcome));
            next.accept(
                    "c%d records %d %s".formatted(c, e, ended.status(e).phase()),
                    mutant == ProtocolMutant.RELEASE_BEFORE_STATUS
                            ? ended.withoutWork(c)
                            : ended.withWork(c, work.withStep(ControllerStep.RELEASE)));
        }
    }

    private void release(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        world.ledger().heldBy(ControllerModel.request(e).execution()).ifPresent(held -> {
            ExecutionOutcome outcome = work.outcome().orElseThrow();
            boolean uncounted = mutant == ProtocolMutant.COUNTER_ON_THE_EXECUTION
                    && outcome instanceof ExecutionOutcome.FailedBeforeExecution;
            ExecutionOutcome stored = uncounted ? new ExecutionOutcome.Withdrawn() : outcome;
            ModelState released = world.withLedger(held.release(stored, ControllerModel.NOW))
                    .withTruth(countOutcome(world.truth, e, outcome));
            next.accept(
                    "c%d releases %d".formatted(c, e),
                    mutant == ProtocolMutant.RELEASE_BEFORE_STATUS
                                    && world.status(e).phase() == Phase.RUNNING
                            ? released.withWork(c, work.withStep(ControllerStep.FINISH))
                            : released.withoutWork(c));
        });
    }

    /**
     * The holder is gone: its run is stopped first, and what is not known to have been harmless counts as having run.
     */
    private void heal(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        int e = work.execution();
        Optional<Held> held = world.ledger().heldBy(ControllerModel.request(e).execution());
        if (held.isEmpty()) {
            return;
        }
        Run run = world.run(e);
        boolean named = run.uid().equals(held.get().holder().runUid());
        ModelState stopped = world;
        if (run.state() == RunState.SUSPENDED) {
            stopped = world.withRun(e, Run.NONE);
        } else if (run.state() == RunState.RUNNING) {
            stopped = world.withRun(e, run.withState(RunState.FAILED_DURING)).withTruth(world.truth.withBroken(e));
        }
        boolean harmless = held.get().holder().runUid().isEmpty() || (named && run.state() == RunState.SUSPENDED);
        ExecutionOutcome outcome = harmless
                ? new ExecutionOutcome.Withdrawn()
                : run.state() == RunState.SUCCEEDED ? new ExecutionOutcome.Completed() : new ExecutionOutcome.Lost();
        next.accept(
                "c%d stops what %d left".formatted(c, e),
                stopped.withWork(c, work.withStep(ControllerStep.HEAL_RELEASE).outcome(outcome)));
    }

    private void healRelease(ModelState world, int c, PendingWrite work, BiConsumer<String, ModelState> next) {
        release(world, c, work, next);
    }

    /** The deletion of an execution is reported, perhaps not for the first time. */
    LedgerEntry forget(LedgerEntry entry, ExecutionRef execution) {
        if (mutant == ProtocolMutant.FORGET_WHAT_WAS_LOST) {
            TreeMap<String, WorkflowMemory> kept = new TreeMap<>(entry.memory().workflows());
            kept.values()
                    .removeIf(memory -> memory.lastEnded().stream()
                            .anyMatch(past -> past.execution().hasUid(execution.uid())));
            return entry.withContents(entry.epoch(), new TargetMemory(Optional.empty(), kept), entry.clearance());
        }
        return entry.forget(execution, ControllerModel.POLICY);
    }

    /** A reset that was asked for is no harm; one that nobody asked for is left for the judge to see. */
    GroundTruth truthAfterForget(GroundTruth truth, int execution) {
        return mutant == ProtocolMutant.FORGET_WHAT_WAS_LOST ? truth : truth.withForgotten(execution);
    }

    static LedgerEntry initialEntry() {
        return LedgerEntry.initial(Target.parse("node/worker-node-1"));
    }

    private static ModelState withStartedRun(ModelState world, int execution) {
        return world.withRun(execution, world.run(execution).withState(RunState.RUNNING))
                .withTruth(world.truth.withStart(execution));
    }

    private static GroundTruth countOutcome(GroundTruth truth, int execution, ExecutionOutcome outcome) {
        if (outcome instanceof ExecutionOutcome.FailedBeforeExecution) {
            return truth.withCountedFailure(execution);
        }
        return outcome instanceof ExecutionOutcome.Completed ? truth.withCountedSuccess() : truth;
    }

    private static boolean isCurrent(ModelState world, PendingWrite work) {
        return work.statusVersion() == world.statusVersions(work.execution()) - 1
                && world.status(work.execution()).phase() != Phase.GONE;
    }
}
