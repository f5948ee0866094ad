package dev.escapement.engine.sim;

import dev.escapement.engine.contract.Ports;
import dev.escapement.governor.Policy;
import java.util.SplittableRandom;

/** The simulated store on a quiet day: no faults, no old views, nobody judges. For one thread. */
public final class SimulatedPorts {

    private SimulatedPorts() {}

    /** With transactions. */
    public static Ports quiet() {
        return quiet(true);
    }

    /** With or without transactions. */
    public static Ports quiet(boolean transactional) {
        SimulatedStore store =
                new SimulatedStore(new SplittableRandom(1), transactional, History.unjudged(Policy.DEFAULT)) {
                    @Override
                    int someVersion(int count) {
                        return count - 1;
                    }
                };
        return new Ports(store, store.directory(), store.journal, transactional);
    }
}
