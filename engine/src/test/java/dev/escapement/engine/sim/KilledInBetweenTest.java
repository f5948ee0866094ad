package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Next;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.Requests;
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
class KilledInBetweenTest {

    private static final Target NODE = Target.parse("node/a");
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
    private static final ExecutionRef FIRST = new ExecutionRef("ops", "e1", "uid-1");
    private static final ExecutionRef SECOND = new ExecutionRef("ops", "e2", "uid-2");

    /** A world of its own for every place to be killed at; its views are never old. */
    private static final class World {
        final History history = History.unjudged(Policy.DEFAULT);
        final SimulatedStore store = new SimulatedStore(new SplittableRandom(1), false, history) {
            @Override
            int someVersion(int count) {
                return count - 1;
            }
        };
        final SimulatedRunner runner = new SimulatedRunner(new SplittableRandom(1), history, () -> NOW);
        final Engine engine = new Engine(store, runner, () -> Policy.DEFAULT);
        final Requests requests = new Requests(store, store.directory(), () -> Policy.DEFAULT);

        void begin(ExecutionRef ref) {
            requests.create(Execution.pending(ref, NOW, ExecutionSpec.of("repair", "node/a", Map.of())));
            advance(ref);
        }

        Next advance(ExecutionRef ref) {
            return engine.advance(execution(ref), NOW);
        }

        void advanceToTheEnd(ExecutionRef ref) {
            for (int look = 0; look < 5 && advance(ref) == Next.AGAIN; look++) {
                // Again, as whoever drives the engine does.
            }
        }

        void end(ExecutionRef ref, SimulatedRunner.State state) {
            runner.end(Objects.requireNonNull(runner.runs.get(ref)), state);
        }

        Versioned<Execution> execution(ExecutionRef ref) {
            return store.execution(ref).orElseThrow();
        }

        LedgerEntry entry() {
            return store.current(NODE);
        }
    }

    /**
     * Plays a scene once for each step of its work, killed there, and once to its end. Returns how many steps it has.
     */
    private static int killedEverywhere(Consumer<World> before, Consumer<World> work, Consumer<World> afterwards) {
        for (int steps = 0; ; steps++) {
            World world = new World();
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
    void aClearanceThatWasCutOffIsMadeAgain() {
        Clearance clearance = new Clearance("anna", "looked", NOW);
        int steps = killedEverywhere(
                world -> {
                    world.begin(FIRST);
                    world.end(FIRST, SimulatedRunner.State.FAILED_DURING);
                    world.advanceToTheEnd(FIRST);
                },
                world -> world.requests.clear(NODE, clearance),
                world -> {
                    boolean blocked = !world.entry().memory().isEmpty();
                    boolean told = world.execution(FIRST).value().clearance().isPresent();
                    assertThat(blocked || told)
                            .describedAs("a lifted block has an execution that says who lifted it")
                            .isTrue();
                    world.begin(SECOND);
                    assertThat(world.execution(SECOND).value().status())
                            .isInstanceOf(blocked ? Status.Skipped.class : Status.Running.class);

                    world.requests.clear(NODE, clearance);
                    assertThat(world.entry().memory().isEmpty()).isTrue();
                    assertThat(world.execution(FIRST).value().clearance()).contains(clearance);
                });
        assertThat(steps).isGreaterThan(4);
    }

    @Test
    void aClearanceThatIsQuickerThanTheReleaseIsMadeWhoeverIsKilled() {
        Clearance clearance = new Clearance("anna", "looked", NOW);
        int steps = killedEverywhere(
                KilledInBetweenTest::failsWithoutARelease, world -> world.requests.clear(NODE, clearance), world -> {
                    world.requests.clear(NODE, clearance);
                    world.advanceToTheEnd(FIRST);
                    assertThat(world.entry()).isInstanceOf(LedgerEntry.Free.class);
                    assertThat(world.entry().memory().isEmpty()).isTrue();
                    assertThat(world.execution(FIRST).value().clearance()).contains(clearance);
                });
        assertThat(steps).isGreaterThan(6);
    }

    /** Killed after the status and before the release. */
    private static void failsWithoutARelease(World world) {
        world.begin(FIRST);
        world.end(FIRST, SimulatedRunner.State.FAILED_DURING);
        Fiber fiber = new Fiber(() -> world.advanceToTheEnd(FIRST));
        boolean over = false;
        while (!over && !(world.execution(FIRST).value().status() instanceof Status.Final)) {
            over = fiber.step();
        }
        fiber.kill();
        assertThat(world.entry()).isInstanceOf(Held.class);
    }

    @Test
    void anEntryThatIsPutBackIsReleasedWhoeverIsKilled() {
        int steps = killedEverywhere(
                world -> world.begin(FIRST),
                world -> {
                    Held was = (Held) world.entry();
                    world.store.takeAway(NODE);
                    world.engine.removed(was, NOW);
                    world.end(FIRST, SimulatedRunner.State.FAILED_DURING);
                    world.advanceToTheEnd(FIRST);
                },
                KilledInBetweenTest::endsBlocked);
        assertThat(steps).isGreaterThan(6);
    }

    @Test
    void anEntryThatIsTakenBackIsReleasedWhoeverIsKilled() {
        int steps = killedEverywhere(
                world -> {
                    world.begin(FIRST);
                    world.store.takeAway(NODE);
                    world.end(FIRST, SimulatedRunner.State.FAILED_DURING);
                },
                world -> world.advanceToTheEnd(FIRST),
                KilledInBetweenTest::endsBlocked);
        assertThat(steps).isGreaterThan(6);
    }

    private static void endsBlocked(World world) {
        if (Objects.requireNonNull(world.runner.runs.get(FIRST)).state == SimulatedRunner.State.GOING) {
            world.end(FIRST, SimulatedRunner.State.FAILED_DURING);
        }
        world.advanceToTheEnd(FIRST);
        assertThat(world.execution(FIRST).value().status()).isInstanceOf(Status.Failed.class);
        assertThat(world.entry()).isInstanceOf(LedgerEntry.Free.class);
        assertThat(world.entry().memory().of("repair").block()).isPresent();
    }
}
