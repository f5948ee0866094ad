package dev.escapement.engine.sim;

import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.sim.Simulation.Fault;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The simulated world, whole or with one guard taken out. */
final class FaultInjector {

    private FaultInjector() {}

    static SimulatedStore newStore(
            Fault sabotage, RandomGenerator random, boolean transactional, SimulationInvariants history) {
        return new SimulatedStore(random, transactional, history) {
            @Override
            boolean isCurrent(StoreWrite write) {
                boolean blind = write instanceof StoreWrite.EntryUpdate
                        ? sabotage == Fault.ENTRIES_WITHOUT_VERSION
                        : sabotage == Fault.STATUS_WITHOUT_VERSION;
                return blind || super.isCurrent(write);
            }
        };
    }

    static SimulatedRunner newRunner(
            Fault sabotage, RandomGenerator random, SimulationInvariants history, Supplier<Instant> clock) {
        return new SimulatedRunner(random, history, clock) {
            @Override
            boolean mayStart(SimulatedRun run, String version) {
                return sabotage == Fault.START_WITHOUT_VERSION || super.mayStart(run, version);
            }
        };
    }
}
