package dev.escapement.endpoints.worker;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of {@link WorkerSimulation}s; {@code -Descapement.simulations=NUMBER} runs another number. */
@Tag("exhaustive")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WorkerSimulationIT {

    @Test
    void everySimulationKeepsInvariants() {
        WorkerSimulationRunner.checkSeeds(Integer.getInteger("escapement.simulations", 2_000));
    }
}
