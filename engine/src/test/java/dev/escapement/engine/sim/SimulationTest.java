package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.sim.Simulation.Fault;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs a thousand simulations, in {@code dev/nightly} twenty thousand. A violation prints its seed and its log; this
 * replays it:
 *
 * <pre>mvn test -pl engine -am -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false -Descapement.life=SEED
 * </pre>
 */
@Tag("exhaustive")
class SimulationTest {

    private static final int SIMULATIONS = Boolean.getBoolean("escapement.nightly") ? 20_000 : 1_000;
    private static final int SIMULATIONS_PER_FAULT = 10_000;

    @Test
    void everySimulationKeepsInvariants() {
        String replay = System.getProperty("escapement.life", "");
        if (!replay.isEmpty()) {
            findFailure(Long.parseLong(replay), Fault.NONE).ifPresent(SimulationTest::fail);
            return;
        }
        LongStream.range(0, SIMULATIONS)
                .parallel()
                .mapToObj(seed -> findFailure(seed, Fault.NONE))
                .flatMap(Optional::stream)
                .findAny()
                .ifPresent(SimulationTest::fail);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void detectsEveryInjectedFault(Fault fault) {
        Optional<String> failure = Optional.empty();
        for (long seed = 0; seed < SIMULATIONS_PER_FAULT && failure.isEmpty(); seed++) {
            failure = findFailure(seed, fault);
        }
        assertThat(failure)
                .describedAs(fault + " in " + SIMULATIONS_PER_FAULT + " simulations")
                .isPresent();
        System.out.println(fault + ": " + failure.get().lines().findFirst().orElseThrow());
    }

    private static void fail(String report) {
        throw new AssertionError(report);
    }

    private static Optional<String> findFailure(long seed, Fault fault) {
        Simulation simulation = new Simulation(seed, fault);
        try {
            simulation.run();
            return Optional.empty();
        } catch (AssertionError violation) {
            return Optional.of("%s (-Descapement.life=%d)%n  %s"
                    .formatted(violation.getMessage(), seed, String.join("\n  ", simulation.log())));
        }
    }
}
