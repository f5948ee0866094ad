package dev.escapement.engine.sim;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.BackoffSettings;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ConflictSettings;
import dev.escapement.engine.execution.ExecutionSpec.OnConflict;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutorUnavailableException;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Simulates two engines and several targets. The same seed gives the same run. */
final class Simulation {

    private static final int STEPS = 250;
    private static final int ENGINES = 2;
    private static final List<Target> TARGETS = List.of(Target.parse("node/a"), Target.parse("ns/pod/b"));

    /** Faults to inject, which the simulation must detect. */
    enum Fault {
        NONE,
        ENTRIES_WITHOUT_VERSION,
        STATUS_WITHOUT_VERSION,
        START_WITHOUT_VERSION,
        WITHDRAW_WITHOUT_VERSION,
        QUEUE_NOT_READ,
        UNRECORDED_RUNS_IGNORED
    }

    private final SplittableRandom random;
    private final Policy policy;
    private final SimulationInvariants invariants;
    private final SimulatedStore store;
    private final SimulatedRunner runner;
    private final List<Optional<Fiber>> fibers = new ArrayList<>();
    private final List<Held> removedEntries = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-15T12:00:00Z");
    private int created;

    Simulation(long seed, Fault fault) {
        random = new SplittableRandom(seed);
        String cooldown = random.nextBoolean() ? "0" : "5m";
        Duration baseCooldown = random.nextBoolean() ? Duration.ofMillis(1) : Duration.ofMinutes(1);
        policy = PolicyText.parse(Map.of(
                        "cooldown-period",
                        cooldown,
                        "max-consecutive-failures",
                        Integer.toString(random.nextInt(1, 4)),
                        "failure-scope",
                        random.nextInt(4) == 0 ? "workflow" : "target",
                        "block-scope",
                        random.nextInt(4) == 0 ? "workflow" : "target",
                        "reset-on-delete",
                        Boolean.toString(random.nextInt(3) > 0),
                        "max-waiting",
                        Integer.toString(random.nextInt(1, 5))))
                .withBackoff(backoff(baseCooldown));
        invariants = new SimulationInvariants(policy);
        store = FaultInjector.newStore(fault, random.split(), random.nextBoolean(), invariants);
        runner = FaultInjector.newRunner(fault, random.split(), invariants, () -> now);
        runner.timeout = Optional.of(Duration.ofMinutes(10));
        for (int i = 0; i < ENGINES; i++) {
            fibers.add(Optional.empty());
        }
    }

    /** Returns the default backoff with another base, which may be shorter than the text of a policy allows. */
    private static Backoff backoff(Duration base) {
        BackoffSettings defaults = Policy.DEFAULT.backoff().settings();
        return Backoff.of(new BackoffSettings(
                base,
                defaults.max(),
                defaults.multiplier(),
                defaults.jitterPercent(),
                defaults.maxExponent(),
                defaults.spread()));
    }

    List<String> log() {
        return invariants.lines;
    }

    void run() {
        try {
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            quiesce();
            checkFinalState();
        } finally {
            fibers.forEach(fiber -> fiber.ifPresent(Fiber::kill));
        }
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 70) {
            runEngine(random.nextInt(ENGINES));
        } else if (dice < 72) {
            toggleExecutor();
        } else if (dice < 80) {
            create();
        } else if (dice < 90) {
            runner.advanceRuns();
        } else if (dice < 94) {
            now = now.plus(Duration.ofSeconds(random.nextInt(1, 240)));
        } else if (dice < 97) {
            kill(random.nextInt(ENGINES));
        } else if (dice < 98 && store.canLoseEntries()) {
            removeEntry(TARGETS.get(random.nextInt(4) == 0 ? 1 : 0));
        } else {
            submitUserRequest();
        }
    }

    /** Lets the executor go away or come back: its webhook, its controller, or both. */
    private void toggleExecutor() {
        runner.setAccepting(!runner.isAccepting() || random.nextBoolean());
        runner.working = !runner.working || random.nextBoolean();
        invariants.logEvent("the executor is accepting=%s working=%s".formatted(runner.isAccepting(), runner.working));
    }

    /** Deletes the entry of a target, half of the time by force. */
    private void removeEntry(Target target) {
        LedgerEntry before = store.latestEntry(target);
        if (random.nextBoolean()) {
            invariants.logEvent("the deletion of the entry of " + target + " is requested");
            store.deleteEntry(target);
        } else if (!before.equals(LedgerEntry.initial(target))) {
            invariants.entryLost(target);
            store.removeEntry(target);
            if (before instanceof Held held) {
                removedEntries.add(held);
            }
        }
    }

    private void create() {
        if (created >= 8) {
            return;
        }
        ExecutionRef ref = new ExecutionRef("ops", "e" + ++created, "uid-" + created);
        String workflow = switch (random.nextInt(24)) {
            case 0, 1, 2 -> "missing";
            case 3, 4, 5, 6, 7 -> SimulatedRunner.INVALID_WORKFLOW;
            case 8, 9, 10, 11, 12 -> "other";
            default -> "repair";
        };
        String target = random.nextInt(20) == 0
                ? "not a target"
                : TARGETS.get(random.nextInt(4) == 0 ? 1 : 0).canonical();
        ConflictSettings conflict = random.nextBoolean()
                ? ConflictSettings.DEFAULT
                : new ConflictSettings(
                        Optional.of(OnConflict.Wait), Optional.of(Duration.ofSeconds(random.nextInt(1, 1_800))));
        ExecutionSpec spec = ExecutionSpec.of(workflow, target, Map.of()).withConflict(conflict);
        store.apply(List.of(new StoreWrite.Creation(Execution.pending(ref, now, spec))));
        invariants.logEvent("%s requests %s on %s, waits: %s".formatted(ref, workflow, target, conflict.waitLimit()));
    }

    /** Continues an engine's current call, or makes it process a random execution. */
    private void runEngine(int engine) {
        if (fibers.get(engine).isEmpty()) {
            if (random.nextInt(8) == 0) {
                Target target = TARGETS.get(random.nextInt(TARGETS.size()));
                launch(engine, () -> engine().recoverLock(target, now));
                return;
            }
            if (store.executions.isEmpty()) {
                return;
            }
            if (!removedEntries.isEmpty() && random.nextInt(4) == 0) {
                Held removed = removedEntries.remove(random.nextInt(removedEntries.size()));
                launch(engine, () -> engine().restoreRemovedEntry(removed, now));
                return;
            }
            List<ExecutionRef> all = List.copyOf(store.executions.keySet());
            Versioned<Execution> view = store.readAnyVersion(all.get(random.nextInt(all.size())));
            launch(engine, () -> engine().advance(view, now));
        } else if (fibers.get(engine).get().step()) {
            fibers.set(engine, Optional.empty());
        }
    }

    private void launch(int engine, Runnable work) {
        fibers.set(engine, Optional.of(new Fiber(() -> tryOnce(work))));
    }

    /** A driver retries a call that fails because the executor is unavailable. */
    private void tryOnce(Runnable work) {
        try {
            work.run();
        } catch (ExecutorUnavailableException retriedLater) {
            invariants.logEvent("the executor is unavailable");
        }
    }

    private Engine engine() {
        return new Engine(store, runner, () -> policy);
    }

    private void kill(int engine) {
        fibers.get(engine).ifPresent(fiber -> {
            invariants.logEvent("engine " + engine + " is killed");
            fiber.kill();
            fibers.set(engine, Optional.empty());
        });
    }

    /** Executes a user's request in a server that can be killed as well. */
    private void submitUserRequest() {
        List<ExecutionRef> all = List.copyOf(store.executions.keySet());
        if (all.isEmpty()) {
            return;
        }
        ExecutionRef ref = all.get(random.nextInt(all.size()));
        Target target = TARGETS.get(random.nextInt(TARGETS.size()));
        Instant at = now;
        int wish = random.nextInt(3);
        int server = random.nextInt(ENGINES);
        if (fibers.get(server).isPresent()) {
            return;
        }
        launch(server, () -> {
            switch (wish) {
                case 0 -> delete(ref, at);
                case 1 -> service().cancel(ref.namespace(), ref.name(), "anna", at);
                default -> service().clear(target, new Clearance("anna", "looked", at));
            }
        });
    }

    private void delete(ExecutionRef ref, Instant at) {
        service()
                .delete(ref.namespace(), ref.name(), "anna", at)
                .flatMap(gone -> Target.tryParse(gone.spec().targetResource()))
                .ifPresent(target -> engine().cleanUpDeleted(ref, target, at));
    }

    private ExecutionService service() {
        return new ExecutionService(store, store.queries(), () -> policy);
    }

    /** Stops the faults and requires that everything settles. */
    private void quiesce() {
        fibers.forEach(fiber -> fiber.ifPresent(Fiber::kill));
        fibers.replaceAll(fiber -> Optional.empty());
        // Nothing is without a limit: everything finishes even if the executor never returns.
        settle();
        checkFinalState();
        runner.setAccepting(true);
        runner.working = true;
        settle();
    }

    private void settle() {
        for (int round = 0; round < 60; round++) {
            now = now.plus(Duration.ofMinutes(1));
            runner.runs.values().stream()
                    .filter(run -> run.state == SimulatedRunner.RunState.RUNNING && runner.working && run.pickedUp)
                    .toList()
                    .forEach(run -> runner.endRun(
                            run,
                            run.stopping
                                    ? SimulatedRunner.RunState.FAILED_DURING
                                    : SimulatedRunner.RunState.SUCCEEDED));
            runner.advanceRuns();
            TARGETS.forEach(target -> tryOnce(() -> engine().recoverLock(target, now)));
            orphanedRuns()
                    .forEach(run ->
                            tryOnce(() -> engine().cleanUpDeleted(run.execution, Target.parse(run.target), now)));
            List.copyOf(store.executions.keySet()).forEach(ref -> tryOnce(() -> advanceFully(ref)));
        }
    }

    /** Removes the suspended runs of deleted executions. */
    private List<SimulatedRunner.SimulatedRun> orphanedRuns() {
        return runner.runs.values().stream()
                .filter(run -> !store.executions.containsKey(run.execution))
                .toList();
    }

    private void advanceFully(ExecutionRef ref) {
        for (int i = 0; i < 20; i++) {
            Versioned<Execution> fresh = store.readExecution(ref).orElseThrow();
            if (engine().advance(fresh, now) != Requeue.IMMEDIATELY) {
                return;
            }
        }
    }

    private void checkFinalState() {
        store.executions.forEach((ref, versions) -> {
            ExecutionStatus last = versions.get(versions.size() - 1).value().status();
            if (!(last instanceof ExecutionStatus.Final)) {
                throw new AssertionError("P4: " + ref + " never ended: " + last);
            }
        });
        for (Target target : TARGETS) {
            if (store.latestEntry(target) instanceof Held held) {
                throw new AssertionError(
                        "L4: " + target + " is still held by " + held.holder().execution());
            }
        }
        invariants.checkInvalidRequestsCounted();
        store.journal.checkNothingTwice();
        runner.runs.values().forEach(run -> {
            if (run.state == SimulatedRunner.RunState.SUSPENDED) {
                throw new AssertionError("W7: the suspended " + run.ref + " of " + run.execution + " was left behind");
            }
        });
    }
}
