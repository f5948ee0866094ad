package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A representative number of {@link WorkerSimulation}s; {@link WorkerSimulationIT} runs many more. */
class WorkerSimulationTest {

    private static final int SIMULATIONS = 100;

    @Test
    void everySimulationKeepsInvariants() {
        WorkerSimulationRunner.checkSeeds(SIMULATIONS);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void detectsDisabledSafeguard(DisabledSafeguard safeguard) {
        Optional<String> failure = LongStream.range(0, SIMULATIONS)
                .mapToObj(seed -> WorkerSimulationRunner.findFailure(seed, safeguard))
                .flatMap(Optional::stream)
                .findFirst();

        assertThat(failure)
                .describedAs("failure without %s in %d simulations", safeguard, SIMULATIONS)
                .isPresent();
    }
}
