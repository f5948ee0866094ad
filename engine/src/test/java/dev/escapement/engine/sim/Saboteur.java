package dev.escapement.engine.sim;

import dev.escapement.engine.port.Write;
import dev.escapement.engine.sim.Simulation.Sabotage;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The simulated world, whole or with one guard taken out. */
final class Saboteur {

    private Saboteur() {}

    static SimulatedStore store(Sabotage sabotage, RandomGenerator random, boolean transactional, History history) {
        return new SimulatedStore(random, transactional, history) {
            @Override
            boolean isCurrent(Write write) {
                boolean blind = write instanceof Write.Entry
                        ? sabotage == Sabotage.ENTRIES_WITHOUT_VERSION
                        : sabotage == Sabotage.STATUS_WITHOUT_VERSION;
                return blind || super.isCurrent(write);
            }
        };
    }

    static SimulatedRunner runner(Sabotage sabotage, RandomGenerator random, History history, Supplier<Instant> clock) {
        return new SimulatedRunner(random, history, clock) {
            @Override
            boolean mayStart(Run run, String version) {
                return sabotage == Sabotage.START_WITHOUT_VERSION || super.mayStart(run, version);
            }
        };
    }
}
