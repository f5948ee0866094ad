package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Whatever takes two writes where there are no transactions is killed at each of its steps, and then done again. */
class CrashBetweenWritesTest {

    private static final Target NODE = Target.parse("node/a");
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
    private static final ExecutionRef FIRST = new ExecutionRef("ops", "e1", "uid-1");
    private static final ExecutionRef SECOND = new ExecutionRef("ops", "e2", "uid-2");

    /** A world of its own for every place to be killed at; its views are never old. */
    private static final class Fixture {
        final SimulationInvariants invariants = SimulationInvariants.disabled(Policy.DEFAULT);
        final SimulatedStore store = new SimulatedStore(new SplittableRandom(1), false, invariants) {
            @Override
            int chooseVersion(int count) {
                return count - 1;
            }
        };
        final SimulatedRunner runner = new SimulatedRunner(new SplittableRandom(1), invariants, () -> NOW);
        final Engine engine = new Engine(store, runner, () -> Policy.DEFAULT);
        final ExecutionService service = new ExecutionService(store, store.queries(), () -> Policy.DEFAULT);

        void createAndAdvance(ExecutionRef ref) {
            service.create(Execution.pending(ref, NOW, ExecutionSpec.of("repair", "node/a", Map.of())));
            advance(ref);
        }

        Requeue advance(ExecutionRef ref) {
            return engine.advance(execution(ref), NOW);
        }

        void advanceUntilDone(ExecutionRef ref) {
            for (int look = 0; look < 5 && advance(ref) == Requeue.IMMEDIATELY; look++) {
                // Again, as whoever drives the engine does.
            }
        }

        void endRun(ExecutionRef ref, SimulatedRunner.RunState state) {
            runner.endRun(Objects.requireNonNull(runner.runs.get(ref)), state);
        }

        Versioned<Execution> execution(ExecutionRef ref) {
            return store.readExecution(ref).orElseThrow();
        }

        LedgerEntry entry() {
            return store.latestEntry(NODE);
        }
    }

    /**
     * Plays a scene once for each step of its work, killed there, and once to its end. Returns how many steps it has.
     */
    private static int killAtEveryStep(Consumer<Fixture> before, Consumer<Fixture> work, Consumer<Fixture> afterwards) {
        for (int steps = 0; ; steps++) {
            Fixture world = new Fixture();
            before.accept(world);
            Fiber fiber = new Fiber(() -> work.accept(world));
            boolean over = false;
            for (int step = 0; step < steps && !over; step++) {
                over = fiber.step();
            }
            fiber.kill();
            afterwards.accept(world);
            if (over) {
                return steps;
            }
        }
    }

    @Test
    void interruptedClearanceCanBeRepeated() {
        Clearance clearance = new Clearance("anna", "looked", NOW);
        int steps = killAtEveryStep(
                world -> {
                    world.createAndAdvance(FIRST);
                    world.endRun(FIRST, SimulatedRunner.RunState.FAILED_DURING);
                    world.advanceUntilDone(FIRST);
                },
                world -> world.service.clear(NODE, clearance),
                world -> {
                    boolean blocked = !world.entry().memory().isEmpty();
                    boolean told = world.execution(FIRST).value().clearance().isPresent();
                    assertThat(blocked || told)
                            .describedAs("a lifted block has an execution that says who lifted it")
                            .isTrue();
                    world.createAndAdvance(SECOND);
                    assertThat(world.execution(SECOND).value().status())
                            .isInstanceOf(blocked ? ExecutionStatus.Skipped.class : ExecutionStatus.Running.class);

                    world.service.clear(NODE, clearance);
                    assertThat(world.entry().memory().isEmpty()).isTrue();
                    assertThat(world.execution(FIRST).value().clearance()).contains(clearance);
                });
        assertThat(steps).isGreaterThan(4);
    }

    @Test
    void clearanceBeforeReleaseSurvivesCrash() {
        Clearance clearance = new Clearance("anna", "looked", NOW);
        int steps = killAtEveryStep(
                CrashBetweenWritesTest::failWithoutRelease, world -> world.service.clear(NODE, clearance), world -> {
                    world.service.clear(NODE, clearance);
                    world.advanceUntilDone(FIRST);
                    assertThat(world.entry()).isInstanceOf(LedgerEntry.Free.class);
                    assertThat(world.entry().memory().isEmpty()).isTrue();
                    assertThat(world.execution(FIRST).value().clearance()).contains(clearance);
                });
        assertThat(steps).isGreaterThan(6);
    }

    /** Killed after the status and before the release. */
    private static void failWithoutRelease(Fixture world) {
        world.createAndAdvance(FIRST);
        world.endRun(FIRST, SimulatedRunner.RunState.FAILED_DURING);
        Fiber fiber = new Fiber(() -> world.advanceUntilDone(FIRST));
        boolean over = false;
        while (!over && !(world.execution(FIRST).value().status() instanceof ExecutionStatus.Final)) {
            over = fiber.step();
        }
        fiber.kill();
        assertThat(world.entry()).isInstanceOf(Held.class);
    }

    @Test
    void restoredEntryIsReleasedAfterCrash() {
        int steps = killAtEveryStep(
                world -> world.createAndAdvance(FIRST),
                world -> {
                    Held was = (Held) world.entry();
                    world.store.removeEntry(NODE);
                    world.engine.restoreRemovedEntry(was, NOW);
                    world.endRun(FIRST, SimulatedRunner.RunState.FAILED_DURING);
                    world.advanceUntilDone(FIRST);
                },
                CrashBetweenWritesTest::assertEndsBlocked);
        assertThat(steps).isGreaterThan(6);
    }

    @Test
    void reacquiredEntryIsReleasedAfterCrash() {
        int steps = killAtEveryStep(
                world -> {
                    world.createAndAdvance(FIRST);
                    world.store.removeEntry(NODE);
                    world.endRun(FIRST, SimulatedRunner.RunState.FAILED_DURING);
                },
                world -> world.advanceUntilDone(FIRST),
                CrashBetweenWritesTest::assertEndsBlocked);
        assertThat(steps).isGreaterThan(6);
    }

    private static void assertEndsBlocked(Fixture world) {
        if (Objects.requireNonNull(world.runner.runs.get(FIRST)).state == SimulatedRunner.RunState.RUNNING) {
            world.endRun(FIRST, SimulatedRunner.RunState.FAILED_DURING);
        }
        world.advanceUntilDone(FIRST);
        assertThat(world.execution(FIRST).value().status()).isInstanceOf(ExecutionStatus.Failed.class);
        assertThat(world.entry()).isInstanceOf(LedgerEntry.Free.class);
        assertThat(world.entry().memory().forWorkflow("repair").block()).isPresent();
    }
}
