package dev.escapement.governor.model;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.Story;
import dev.escapement.governor.gate.Decision;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.Request;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.governor.model.Facts.Phase;
import dev.escapement.governor.model.Facts.Run;
import dev.escapement.governor.model.Facts.RunState;
import dev.escapement.governor.model.Facts.Status;
import dev.escapement.governor.model.Facts.Step;
import dev.escapement.governor.model.Facts.Work;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * What can happen next in a world: what the controllers read and decide. What they write is in {@link Writes}. All
 * decisions and ledger transitions are those of the governor itself.
 *
 * <p>A controller reads through a cache that may be arbitrarily old, is told things twice, and may be paused or killed
 * before each of its writes. Two of them may believe that they lead.
 */
final class Protocol {

    static final Instant NOW = Story.START;

    /** Without waiting times, so that the model needs no clock; the limit is low, so that it is reached. */
    static final Policy POLICY = PolicyText.parse(
            Map.of("cooldown-period", "0", "base-cooldown-period", "0", "max-consecutive-failures", "1"));

    private final Mutant mutant;
    private final Writes writes;
    private final Environment environment;
    private final Map<Long, Boolean> skips = new HashMap<>();

    Protocol(Mutant mutant) {
        this.mutant = mutant;
        this.writes = new Writes(mutant);
        // These two do not use the ledger as it is meant, so of course it does not remember what broke: of interest is
        // whether they let two run at once.
        this.environment = new Environment(mutant != Mutant.START_BEFORE_COMMIT && mutant != Mutant.LIST_THEN_CREATE);
    }

    /** Two workflows take turns. */
    private static final List<Request> REQUESTS =
            IntStream.range(0, 3).mapToObj(e -> Story.request("w" + e % 2, e)).toList();

    static Request request(int execution) {
        return REQUESTS.get(execution);
    }

    /** Every next world, with a note on how it comes about. */
    void steps(World world, BiConsumer<String, World> reached) {
        BiConsumer<String, World> next = (note, changed) ->
                reached.accept(note, writes.withoutHopelessWorks(changed).canonical());
        environment.steps(world, next);
        for (int c = 0; c < world.controllers(); c++) {
            if (world.isIdle(c)) {
                for (int e = 0; e < world.executions(); e++) {
                    look(world, c, e, next);
                }
            } else {
                next.accept("c" + c + " dies", world.withoutWork(c));
                writes.goOn(world, c, next);
            }
        }
    }

    /** One look of controller {@code c} at execution {@code e}. */
    private void look(World world, int c, int e, BiConsumer<String, World> next) {
        for (int xv = 0; xv < world.statusVersions(e); xv++) {
            Status status = world.status(e, xv);
            for (int lv = 0; lv < world.ledgerVersions(); lv++) {
                LedgerEntry entry = world.ledger(lv);
                boolean holds = entry.heldBy(request(e).execution()).isPresent();
                if (status.phase() == Phase.PENDING) {
                    lookAtPending(world, c, e, xv, lv, next);
                } else if (status.phase() == Phase.RUNNING) {
                    lookAtRunning(world, c, e, xv, entry, next);
                } else if (status.phase().isFinal() && holds) {
                    Work work = Work.of(e, Step.RELEASE).outcome(status.toRelease());
                    next.accept("c%d will release %d".formatted(c, e), world.withWork(c, work));
                } else if (status.phase() == Phase.GONE && holds) {
                    next.accept("c%d will heal after %d".formatted(c, e), world.withWork(c, Work.of(e, Step.HEAL)));
                }
            }
        }
        cleanUp(world, c, e, next);
    }

    private void lookAtPending(World world, int c, int e, int xv, int lv, BiConsumer<String, World> next) {
        LedgerEntry entry = world.ledger(lv);
        if (mutant == Mutant.LIST_THEN_CREATE) {
            listThenCreate(world, c, e, xv, next);
            return;
        }
        var own = entry.heldBy(request(e).execution());
        if (own.isPresent()) {
            String run = own.get().holder().run();
            Work work =
                    Work.of(e, run.isEmpty() ? Step.FAIL : Step.RECORD).run(run).sawStatus(xv);
            next.accept("c%d resumes %d".formatted(c, e), world.withWork(c, work));
        } else if (entry instanceof Held held) {
            // Any version of the holder may be seen. One that is final is folded in; one that is gone is healed first.
            int holder = number(held);
            for (int hv = 0; hv < world.statusVersions(holder); hv++) {
                Status seen = world.status(holder, hv);
                if (seen.phase().isFinal()) {
                    decide(world, c, e, xv, lv, held.release(seen.toRelease(), NOW), next);
                } else if (seen.phase() != Phase.GONE) {
                    decide(world, c, e, xv, lv, held, next);
                }
            }
        } else {
            decide(world, c, e, xv, lv, entry, next);
        }
    }

    private void decide(World world, int c, int e, int xv, int lv, LedgerEntry entry, BiConsumer<String, World> next) {
        int number = world.values.entries.number(entry);
        if (skips.computeIfAbsent(
                ((long) number << 8) | e,
                unknown -> Gate.decide(request(e), entry, POLICY, NOW) instanceof Decision.Skip)) {
            Work work = Work.of(e, Step.SKIP).sawStatus(xv);
            next.accept("c%d decides to skip %d".formatted(c, e), world.withWork(c, work));
        } else if (mutant == Mutant.NO_SECOND_LOOK || world.status(e).phase() == Phase.PENDING) {
            int version = mutant == Mutant.NO_SECOND_LOOK ? xv : world.statusVersions(e) - 1;
            Work work = Work.of(e, Step.PREPARE).sawStatus(version).sawLedger(lv, number);
            next.accept("c%d admits %d".formatted(c, e), world.withWork(c, work));
        }
    }

    private void listThenCreate(World world, int c, int e, int xv, BiConsumer<String, World> next) {
        boolean busy = false;
        for (int other = 0; other < world.executions(); other++) {
            busy |= other != e && world.status(other).phase() == Phase.RUNNING;
        }
        Work work = Work.of(e, busy ? Step.SKIP : Step.PREPARE).sawStatus(xv);
        next.accept("c%d %s %d".formatted(c, busy ? "decides to skip" : "admits", e), world.withWork(c, work));
    }

    private void lookAtRunning(World world, int c, int e, int xv, LedgerEntry entry, BiConsumer<String, World> next) {
        String named = world.status(e, xv).run();
        var held = entry.heldBy(request(e).execution());
        for (int rv = 0; rv < world.runVersions(e); rv++) {
            Run run = world.run(e, rv);
            if (!run.uid().equals(named)) {
                // Gone, or in its place a run that a late controller prepared: the one that the status names is lost.
                if (rv == world.runVersions(e) - 1 || mutant == Mutant.LOST_ON_A_STALE_VIEW) {
                    finish(world, c, e, xv, new Outcome.FailedDuringExecution("PipelineRunDeleted"), next);
                }
            } else if (run.state() == RunState.SUSPENDED
                    && held.isPresent()
                    && held.get().holder().run().equals(named)) {
                Work work = Work.of(e, Step.START).run(named).sawRun(rv);
                next.accept("c%d will start %d".formatted(c, e), world.withWork(c, work));
            } else if (run.state() == RunState.SUCCEEDED) {
                finish(world, c, e, xv, new Outcome.Completed(), next);
            } else if (run.state() == RunState.FAILED_DURING) {
                finish(world, c, e, xv, new Outcome.FailedDuringExecution("TaskFailed"), next);
            } else if (run.state() == RunState.FAILED_BEFORE && held.isPresent()) {
                finish(world, c, e, xv, held.get().couldNotStart("ImagePullBackOff", NOW, POLICY), next);
            }
        }
    }

    private void finish(World world, int c, int e, int xv, Outcome outcome, BiConsumer<String, World> next) {
        Step step = mutant == Mutant.RELEASE_BEFORE_STATUS ? Step.RELEASE : Step.FINISH;
        Work work = Work.of(e, step).sawStatus(xv).outcome(outcome);
        next.accept("c%d will finish %d".formatted(c, e), world.withWork(c, work));
    }

    /** Runs that no ledger entry names are removed, and the deletion of an execution resets what it left. */
    private void cleanUp(World world, int c, int e, BiConsumer<String, World> next) {
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
                        world.withLedger(forgotten).withTruth(writes.forgotten(world.truth, e)));
            }
        }
    }

    static int number(Held held) {
        String uid = held.holder().execution().uid();
        return Integer.parseInt(uid.substring(uid.indexOf('-') + 1));
    }

    static Clearance clearance() {
        // Before everything that fails later: the model has no clock.
        return new Clearance("anna", "looked at it", NOW.minusSeconds(1));
    }
}
