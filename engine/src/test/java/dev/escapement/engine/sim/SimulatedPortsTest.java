package dev.escapement.engine.sim;

import dev.escapement.engine.contract.DirectoryContract;
import dev.escapement.engine.contract.JournalContract;
import dev.escapement.engine.contract.Ports;
import dev.escapement.engine.contract.StoreContract;
import org.junit.jupiter.api.Nested;

/** What the simulation runs on keeps the same contracts as the real ports, with transactions and without. */
class SimulatedPortsTest {

    @Nested
    class WithTransactions extends StoreContract {
        @Override
        protected Ports open() {
            return SimulatedPorts.quiet(true);
        }
    }

    @Nested
    class WithoutTransactions extends StoreContract {
        @Override
        protected Ports open() {
            return SimulatedPorts.quiet(false);
        }
    }

    @Nested
    class LookUps extends DirectoryContract {
        @Override
        protected Ports open() {
            return SimulatedPorts.quiet(true);
        }
    }

    @Nested
    class Told extends JournalContract {
        @Override
        protected Ports open() {
            return SimulatedPorts.quiet(true);
        }
    }
}
