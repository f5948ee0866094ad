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

/** Kills operations of several writes at every step, without transactions, and repeats them. */
class CrashBetweenWritesTest {

    private static final Target NODE = Target.parse("node/a");
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
    private static final ExecutionRef FIRST = new ExecutionRef("ops", "e1", "uid-1");
    private static final ExecutionRef SECOND = new ExecutionRef("ops", "e2", "uid-2");

    /** An engine and a store without stale reads. */
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

        void create(ExecutionRef ref, String workflow) {
            service.create(Execution.pending(ref, NOW, ExecutionSpec.of(workflow, "node/a", Map.of())));
        }

        void createAndAdvance(ExecutionRef ref) {
            create(ref, "repair");
            advance(ref);
        }

        Requeue advance(ExecutionRef ref) {
            return engine.advance(execution(ref), NOW);
        }

        void advanceUntilDone(ExecutionRef ref) {
            for (int attempt = 0; attempt < 5 && advance(ref) == Requeue.IMMEDIATELY; attempt++) {
                // Again, as the caller of the engine does.
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

    /** Runs the work once per step, killed there, and once to its end. Returns the number of steps. */
    private static int killAtEveryStep(Consumer<Fixture> before, Consumer<Fixture> work, Consumer<Fixture> afterwards) {
        for (int steps = 0; ; steps++) {
            Fixture fixture = new Fixture();
            before.accept(fixture);
            Fiber fiber = new Fiber(() -> work.accept(fixture));
            boolean finished = false;
            for (int step = 0; step < steps && !finished; step++) {
                finished = fiber.step();
            }
            fiber.kill();
            afterwards.accept(fixture);
            if (finished) {
                return steps;
            }
        }
    }

    @Test
    void interruptedClearanceCanBeRepeated() {
        Clearance clearance = new Clearance("anna", "looked", NOW);
        int steps = killAtEveryStep(
                fixture -> {
                    fixture.createAndAdvance(FIRST);
                    fixture.endRun(FIRST, SimulatedRunner.RunState.FAILED_DURING);
                    fixture.advanceUntilDone(FIRST);
                },
                fixture -> fixture.service.clear(NODE, clearance),
                fixture -> {
                    boolean blocked = !fixture.entry().memory().isEmpty();
                    boolean recorded =
                            fixture.execution(FIRST).value().clearance().isPresent();
                    assertThat(blocked || recorded)
                            .describedAs("after a clearance, the execution names who cleared it")
                            .isTrue();
                    fixture.createAndAdvance(SECOND);
                    assertThat(fixture.execution(SECOND).value().status())
                            .isInstanceOf(blocked ? ExecutionStatus.Skipped.class : ExecutionStatus.Running.class);

                    fixture.service.clear(NODE, clearance);
                    assertThat(fixture.entry().memory().isEmpty()).isTrue();
                    assertThat(fixture.execution(FIRST).value().clearance()).contains(clearance);
                });
        assertThat(steps).isGreaterThan(4);
    }

    @Test
    void clearanceBeforeReleaseSurvivesCrash() {
        Clearance clearance = new Clearance("anna", "looked", NOW);
        int steps = killAtEveryStep(
                CrashBetweenWritesTest::failWithoutRelease,
                fixture -> fixture.service.clear(NODE, clearance),
                fixture -> {
                    fixture.service.clear(NODE, clearance);
                    fixture.advanceUntilDone(FIRST);
                    assertThat(fixture.entry()).isInstanceOf(LedgerEntry.Free.class);
                    assertThat(fixture.entry().memory().isEmpty()).isTrue();
                    assertThat(fixture.execution(FIRST).value().clearance()).contains(clearance);
                });
        assertThat(steps).isGreaterThan(6);
    }

    /** Kills the engine after the final status and before the release. */
    private static void failWithoutRelease(Fixture fixture) {
        fixture.createAndAdvance(FIRST);
        fixture.endRun(FIRST, SimulatedRunner.RunState.FAILED_DURING);
        Fiber fiber = new Fiber(() -> fixture.advanceUntilDone(FIRST));
        boolean finished = false;
        while (!finished && !(fixture.execution(FIRST).value().status() instanceof ExecutionStatus.Final)) {
            finished = fiber.step();
        }
        fiber.kill();
        assertThat(fixture.entry()).isInstanceOf(Held.class);
    }

    @Test
    void restoredEntryIsReleasedAfterCrash() {
        int steps = killAtEveryStep(
                fixture -> fixture.createAndAdvance(FIRST),
                fixture -> {
                    Held removed = (Held) fixture.entry();
                    fixture.store.removeEntry(NODE);
                    fixture.engine.restoreRemovedEntry(removed, NOW);
                    fixture.endRun(FIRST, SimulatedRunner.RunState.FAILED_DURING);
                    fixture.advanceUntilDone(FIRST);
                },
                CrashBetweenWritesTest::assertEndsBlocked);
        assertThat(steps).isGreaterThan(6);
    }

    @Test
    void reacquiredEntryIsReleasedAfterCrash() {
        int steps = killAtEveryStep(
                fixture -> {
                    fixture.createAndAdvance(FIRST);
                    fixture.store.removeEntry(NODE);
                    fixture.endRun(FIRST, SimulatedRunner.RunState.FAILED_DURING);
                },
                fixture -> fixture.advanceUntilDone(FIRST),
                CrashBetweenWritesTest::assertEndsBlocked);
        assertThat(steps).isGreaterThan(6);
    }

    @Test
    void invalidRequestIsCountedOnceAfterCrash() {
        int steps = killAtEveryStep(
                fixture -> {
                    fixture.create(FIRST, SimulatedRunner.INVALID_WORKFLOW);
                    fixture.create(SECOND, SimulatedRunner.INVALID_WORKFLOW);
                },
                fixture -> fixture.advanceUntilDone(FIRST),
                fixture -> {
                    // The second one is first now: it must not hide that the first one was counted.
                    fixture.advanceUntilDone(SECOND);
                    fixture.advanceUntilDone(FIRST);
                    assertThat(fixture.execution(FIRST).value().status()).isInstanceOf(ExecutionStatus.Failed.class);
                    assertThat(fixture.execution(SECOND).value().status()).isInstanceOf(ExecutionStatus.Failed.class);
                    assertThat(fixture.entry()
                                    .memory()
                                    .invalidRequests(SimulatedRunner.INVALID_WORKFLOW)
                                    .orElseThrow()
                                    .failures())
                            .isEqualTo(2);
                });
        assertThat(steps).isGreaterThan(3);
    }

    private static void assertEndsBlocked(Fixture fixture) {
        if (Objects.requireNonNull(fixture.runner.runs.get(FIRST)).state == SimulatedRunner.RunState.RUNNING) {
            fixture.endRun(FIRST, SimulatedRunner.RunState.FAILED_DURING);
        }
        fixture.advanceUntilDone(FIRST);
        assertThat(fixture.execution(FIRST).value().status()).isInstanceOf(ExecutionStatus.Failed.class);
        assertThat(fixture.entry()).isInstanceOf(LedgerEntry.Free.class);
        assertThat(fixture.entry().memory().forWorkflow("repair").block()).isPresent();
    }
}
