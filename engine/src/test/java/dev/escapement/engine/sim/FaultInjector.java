package dev.escapement.engine.sim;

import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.sim.Simulation.Fault;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Creates the simulated store and runner, optionally without one of their version checks. */
final class FaultInjector {

    private FaultInjector() {}

    static SimulatedStore newStore(
            Fault fault, RandomGenerator random, boolean transactional, SimulationInvariants invariants) {
        return new SimulatedStore(random, transactional, invariants) {
            @Override
            boolean isCurrent(StoreWrite write) {
                boolean unchecked = write instanceof StoreWrite.EntryUpdate
                        ? fault == Fault.ENTRIES_WITHOUT_VERSION
                        : fault == Fault.STATUS_WITHOUT_VERSION;
                return unchecked || super.isCurrent(write);
            }
        };
    }

    static SimulatedRunner newRunner(
            Fault fault, RandomGenerator random, SimulationInvariants invariants, Supplier<Instant> clock) {
        return new SimulatedRunner(random, invariants, clock) {
            @Override
            boolean mayStart(SimulatedRun run, String version) {
                return fault == Fault.START_WITHOUT_VERSION || super.mayStart(run, version);
            }
        };
    }
}
