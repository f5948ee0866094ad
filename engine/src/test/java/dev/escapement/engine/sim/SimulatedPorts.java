package dev.escapement.engine.sim;

import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.governor.Policy;
import java.util.SplittableRandom;

/** The simulated store on a quiet day: no faults, no old views, nobody judges. For one thread. */
public final class SimulatedPorts {

    private SimulatedPorts() {}

    /** With transactions. */
    public static ContractPorts withoutFaults() {
        return withoutFaults(true);
    }

    /** With or without transactions. */
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
