package dev.escapement.engine.sim;

import dev.escapement.engine.contract.DirectoryContract;
import dev.escapement.engine.contract.JournalContract;
import dev.escapement.engine.contract.Ports;
import dev.escapement.engine.contract.StoreContract;
import dev.escapement.governor.Policy;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;

/** What the simulation runs on keeps the same contracts as the real ports, with transactions and without. */
class SimulatedPortsTest {

    static Ports ports(boolean transactional) {
        SimulatedStore store =
                new SimulatedStore(new SplittableRandom(1), transactional, History.unjudged(Policy.DEFAULT)) {
                    @Override
                    int someVersion(int count) {
                        return count - 1;
                    }
                };
        return new Ports(store, store.directory(), store.journal, transactional);
    }

    @Nested
    class WithTransactions extends StoreContract {
        @Override
        protected Ports open() {
            return ports(true);
        }
    }

    @Nested
    class WithoutTransactions extends StoreContract {
        @Override
        protected Ports open() {
            return ports(false);
        }
    }

    @Nested
    class LookUps extends DirectoryContract {
        @Override
        protected Ports open() {
            return ports(true);
        }
    }

    @Nested
    class Told extends JournalContract {
        @Override
        protected Ports open() {
            return ports(true);
        }
    }
}
