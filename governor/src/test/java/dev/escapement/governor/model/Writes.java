package dev.escapement.governor.model;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.governor.ledger.TargetMemory;
import dev.escapement.governor.ledger.WorkflowMemory;
import dev.escapement.governor.model.Facts.Phase;
import dev.escapement.governor.model.Facts.Run;
import dev.escapement.governor.model.Facts.RunState;
import dev.escapement.governor.model.Facts.Status;
import dev.escapement.governor.model.Facts.Step;
import dev.escapement.governor.model.Facts.Work;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The writes of the protocol, each under the version that its writer saw. A write that comes too late does nothing. */
final class Writes {

    private final Mutant mutant;

    Writes(Mutant mutant) {
        this.mutant = mutant;
    }

    void goOn(World world, int c, BiConsumer<String, World> next) {
        Work work = world.work(c);
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
    World withoutHopelessWorks(World world) {
        World pruned = world;
        for (int c = 0; c < world.controllers(); c++) {
            if (!world.isIdle(c) && isHopeless(world, world.work(c))) {
                pruned = pruned.withoutWork(c);
            }
        }
        return pruned;
    }

    private boolean isHopeless(World world, Work work) {
        int e = work.execution();
        return switch (work.step()) {
            case SKIP -> mutant != Mutant.NO_VERSION_ON_SKIP && !isCurrent(world, work);
            case RECORD, FAIL, FINISH -> !isCurrent(world, work);
            case COMMIT -> work.ledgerVersion() != world.ledgerVersions() - 1;
            case START -> mutant != Mutant.NO_VERSION_ON_START && work.runVersion() != world.runVersions(e) - 1;
            case RELEASE, HEAL, HEAL_RELEASE ->
                world.ledger().heldBy(Protocol.request(e).execution()).isEmpty();
            case PREPARE, EARLY_START -> false;
        };
    }

    private void skip(World world, int c, Work work, BiConsumer<String, World> next) {
        int e = work.execution();
        Phase phase = world.status(e).phase();
        boolean blind = mutant == Mutant.NO_VERSION_ON_SKIP && !phase.isFinal() && phase != Phase.GONE;
        if (isCurrent(world, work) || blind) {
            World skipped = world.withStatus(e, Status.SKIPPED).withoutWork(c);
            if (mutant == Mutant.SKIPPED_COUNTS_AS_PREVIOUS && world.ledger() instanceof Free free) {
                skipped = skipped.withLedger(free.with(free.epoch(), TargetMemory.NONE, Optional.empty()));
            }
            next.accept("c%d skips %d".formatted(c, e), skipped);
        }
    }

    private void prepare(World world, int c, Work work, BiConsumer<String, World> next) {
        int e = work.execution();
        Step then = mutant == Mutant.LIST_THEN_CREATE ? Step.RECORD : Step.COMMIT;
        Run run = world.run(e);
        if (run.state() != RunState.NONE) {
            next.accept(
                    "c%d adopts the run of %d".formatted(c, e),
                    world.withWork(c, work.then(then).run(run.uid())));
            return;
        }
        String uid = "r" + world.truth.runs();
        boolean going = mutant == Mutant.START_BEFORE_COMMIT;
        Truth truth = going ? world.truth.prepared().started(e) : world.truth.prepared();
        next.accept(
                "c%d prepares %d".formatted(c, e),
                world.withRun(e, new Run(uid, going ? RunState.GOING : RunState.SUSPENDED))
                        .withTruth(truth)
                        .withWork(c, work.then(then).run(uid)));
        if (world.truth.refusals() > 0) {
            next.accept(
                    "c%d is refused a run for %d".formatted(c, e),
                    world.withTruth(world.truth.refused()).withWork(c, work.then(then)));
        }
    }

    private void commit(World world, int c, Work work, BiConsumer<String, World> next) {
        int e = work.execution();
        if (work.ledgerVersion() != world.ledgerVersions() - 1) {
            return;
        }
        Free free = (Free) world.values.entries.value(work.entry());
        Truth truth = world.truth;
        if (world.ledger() instanceof Held folded) {
            truth = account(
                    truth,
                    Protocol.number(folded),
                    world.status(Protocol.number(folded)).toRelease());
        }
        Holder holder = new Holder(
                Protocol.request(e).execution(), Protocol.request(e).workflow(), work.run(), work.run(), Protocol.NOW);
        Step then = work.run().isEmpty()
                ? Step.FAIL
                : mutant == Mutant.START_BEFORE_RECORD ? Step.EARLY_START : Step.RECORD;
        next.accept(
                "c%d commits %d".formatted(c, e),
                world.withLedger(free.acquire(holder))
                        .withTruth(truth.admitted(e, Protocol.POLICY.maxConsecutiveFailures()))
                        .withWork(c, work.then(then)));
    }

    private void earlyStart(World world, int c, Work work, BiConsumer<String, World> next) {
        int e = work.execution();
        if (world.run(e).equals(new Run(work.run(), RunState.SUSPENDED))) {
            next.accept("c%d starts %d".formatted(c, e), started(world, e).withWork(c, work.then(Step.RECORD)));
        }
    }

    private void record(World world, int c, Work work, BiConsumer<String, World> next) {
        int e = work.execution();
        if (isCurrent(world, work) && world.status(e).phase() == Phase.PENDING) {
            World running = world.withStatus(e, Status.running(work.run()));
            boolean mine = world.run(e).equals(new Run(work.run(), RunState.SUSPENDED));
            next.accept(
                    "c%d records %d Running".formatted(c, e),
                    mine
                            ? running.withWork(c, work.then(Step.START).sawRun(world.runVersions(e) - 1))
                            : running.withoutWork(c));
        }
    }

    private void fail(World world, int c, Work work, BiConsumer<String, World> next) {
        int e = work.execution();
        Optional<Held> held = world.ledger().heldBy(Protocol.request(e).execution());
        if (isCurrent(world, work) && world.status(e).phase() == Phase.PENDING && held.isPresent()) {
            Outcome outcome = held.get().couldNotStart("Forbidden", Protocol.NOW, Protocol.POLICY);
            next.accept(
                    "c%d records %d Failed".formatted(c, e),
                    world.withStatus(e, Status.ended(outcome))
                            .withWork(c, work.then(Step.RELEASE).outcome(outcome)));
        }
    }

    private void start(World world, int c, Work work, BiConsumer<String, World> next) {
        int e = work.execution();
        Run run = world.run(e);
        boolean current = run.uid().equals(work.run()) && work.runVersion() == world.runVersions(e) - 1;
        boolean blind = mutant == Mutant.NO_VERSION_ON_START && run.state() == RunState.SUSPENDED;
        if (current || blind) {
            next.accept("c%d starts %d".formatted(c, e), started(world, e).withoutWork(c));
        }
    }

    private void finish(World world, int c, Work work, BiConsumer<String, World> next) {
        int e = work.execution();
        if (isCurrent(world, work) && world.status(e).phase() == Phase.RUNNING) {
            Outcome outcome = work.outcome().orElseThrow();
            World ended = world.withStatus(e, Status.ended(outcome));
            next.accept(
                    "c%d records %d %s".formatted(c, e, ended.status(e).phase()),
                    mutant == Mutant.RELEASE_BEFORE_STATUS
                            ? ended.withoutWork(c)
                            : ended.withWork(c, work.then(Step.RELEASE)));
        }
    }

    private void release(World world, int c, Work work, BiConsumer<String, World> next) {
        int e = work.execution();
        world.ledger().heldBy(Protocol.request(e).execution()).ifPresent(held -> {
            Outcome outcome = work.outcome().orElseThrow();
            boolean uncounted =
                    mutant == Mutant.COUNTER_ON_THE_EXECUTION && outcome instanceof Outcome.FailedBeforeExecution;
            Outcome stored = uncounted ? new Outcome.Withdrawn() : outcome;
            World released =
                    world.withLedger(held.release(stored, Protocol.NOW)).withTruth(account(world.truth, e, outcome));
            next.accept(
                    "c%d releases %d".formatted(c, e),
                    mutant == Mutant.RELEASE_BEFORE_STATUS && world.status(e).phase() == Phase.RUNNING
                            ? released.withWork(c, work.then(Step.FINISH))
                            : released.withoutWork(c));
        });
    }

    /**
     * The holder is gone: its run is stopped first, and what is not known to have been harmless counts as having run.
     */
    private void heal(World world, int c, Work work, BiConsumer<String, World> next) {
        int e = work.execution();
        Optional<Held> held = world.ledger().heldBy(Protocol.request(e).execution());
        if (held.isEmpty()) {
            return;
        }
        Run run = world.run(e);
        boolean named = run.uid().equals(held.get().holder().run());
        World stopped = world;
        if (run.state() == RunState.SUSPENDED) {
            stopped = world.withRun(e, Run.NONE);
        } else if (run.state() == RunState.GOING) {
            stopped = world.withRun(e, run.in(RunState.FAILED_DURING)).withTruth(world.truth.broken(e));
        }
        boolean harmless = held.get().holder().run().isEmpty() || (named && run.state() == RunState.SUSPENDED);
        Outcome outcome = harmless
                ? new Outcome.Withdrawn()
                : run.state() == RunState.SUCCEEDED ? new Outcome.Completed() : new Outcome.Lost();
        next.accept(
                "c%d stops what %d left".formatted(c, e),
                stopped.withWork(c, work.then(Step.HEAL_RELEASE).outcome(outcome)));
    }

    private void healRelease(World world, int c, Work work, BiConsumer<String, World> next) {
        release(world, c, work, next);
    }

    /** The deletion of an execution is reported, perhaps not for the first time. */
    LedgerEntry forget(LedgerEntry entry, ExecutionRef execution) {
        if (mutant == Mutant.FORGET_WHAT_WAS_LOST) {
            TreeMap<String, WorkflowMemory> kept = new TreeMap<>(entry.memory().workflows());
            kept.values()
                    .removeIf(memory -> memory.last().stream()
                            .anyMatch(past -> past.execution().is(execution.uid())));
            return entry.with(entry.epoch(), new TargetMemory(Optional.empty(), kept), entry.clearance());
        }
        return entry.forget(execution, Protocol.POLICY);
    }

    /** A reset that was asked for is no harm; one that nobody asked for is left for the judge to see. */
    Truth forgotten(Truth truth, int execution) {
        return mutant == Mutant.FORGET_WHAT_WAS_LOST ? truth : truth.forgotten(execution);
    }

    static LedgerEntry freshEntry() {
        return LedgerEntry.fresh(Target.parse("node/worker-node-1"));
    }

    private static World started(World world, int execution) {
        return world.withRun(execution, world.run(execution).in(RunState.GOING))
                .withTruth(world.truth.started(execution));
    }

    private static Truth account(Truth truth, int execution, Outcome outcome) {
        if (outcome instanceof Outcome.FailedBeforeExecution) {
            return truth.countedFailure(execution);
        }
        return outcome instanceof Outcome.Completed ? truth.countedSuccess() : truth;
    }

    private static boolean isCurrent(World world, Work work) {
        return work.statusVersion() == world.statusVersions(work.execution()) - 1
                && world.status(work.execution()).phase() != Phase.GONE;
    }
}
