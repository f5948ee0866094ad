package dev.escapement.endpoints.worker;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A hundred {@link WorkerSimulation}s, in {@code dev/nightly} thousands; {@code -Descapement.simulations=NUMBER} runs
 * another number.
 */
@Tag("exhaustive")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WorkerSimulationIT {

    private static final int SIMULATIONS = Boolean.getBoolean("escapement.nightly") ? 5_000 : 100;

    @Test
    void everySimulationKeepsInvariants() {
        WorkerSimulationRunner.checkSeeds(Integer.getInteger("escapement.simulations", SIMULATIONS));
    }
}
