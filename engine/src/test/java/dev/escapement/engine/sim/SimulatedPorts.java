package dev.escapement.engine.sim;

import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.governor.Policy;
import java.util.SplittableRandom;

/** Opens simulated ports without faults, stale reads and invariant checks. For one thread. */
public final class SimulatedPorts {

    private SimulatedPorts() {}

    public static ContractPorts withoutFaults() {
        return withoutFaults(true);
    }

    public static ContractPorts withoutFaults(boolean transactional) {
        SimulatedStore store =
                new SimulatedStore(
                        new SplittableRandom(1), transactional, SimulationInvariants.disabled(Policy.DEFAULT)) {
                    @Override
                    int chooseVersion(int count) {
                        return count - 1;
                    }
                };
        return new ContractPorts(store, store.queries(), store.journal, transactional);
    }
}
