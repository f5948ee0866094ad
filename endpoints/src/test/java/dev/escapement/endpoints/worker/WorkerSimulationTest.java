package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Thousands of lives. One that breaks a promise prints its seed and its story; this lives it again:
 *
 * <pre>mvn test -pl endpoints -am -Dtest=WorkerSimulationTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Descapement.life=SEED</pre>
 */
@Tag("exhaustive")
class WorkerSimulationTest {

    private static final int SIMULATIONS = 2_000;
    private static final int MAX_LOG_LINES = 60;

    @Test
    void everySimulationKeepsTheInvariants() {
        String replay = System.getProperty("escapement.life", "");
        LongStream seeds = replay.isEmpty() ? LongStream.range(0, SIMULATIONS) : LongStream.of(Long.parseLong(replay));
        seeds.parallel()
                .mapToObj(seed -> runSimulation(seed, DisabledSafeguard.NONE))
                .flatMap(Optional::stream)
                .findAny()
                .ifPresent(failure -> {
                    throw new AssertionError(failure);
                });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void detectsDisabledSafeguard(DisabledSafeguard sabotage) {
        Optional<String> failure = LongStream.range(0, SIMULATIONS)
                .mapToObj(seed -> runSimulation(seed, sabotage))
                .flatMap(Optional::stream)
                .findFirst();

        assertThat(failure)
                .describedAs(sabotage + " in " + SIMULATIONS + " lives")
                .isPresent();
        System.out.println(sabotage + ": " + failure.get().lines().findFirst().orElseThrow());
    }

    private static Optional<String> runSimulation(long seed, DisabledSafeguard sabotage) {
        WorkerSimulation life = new WorkerSimulation(seed, sabotage);
        try {
            life.run();
            return Optional.empty();
        } catch (AssertionError | RuntimeException broken) {
            int from = System.getProperty("escapement.life", "").isEmpty()
                    ? Math.max(0, life.eventLog().size() - MAX_LOG_LINES)
                    : 0;
            return Optional.of("%s (-Descapement.life=%d)%n  %s"
                    .formatted(
                            broken,
                            seed,
                            String.join(
                                    "\n  ",
                                    life.eventLog()
                                            .subList(from, life.eventLog().size()))));
        }
    }
}
