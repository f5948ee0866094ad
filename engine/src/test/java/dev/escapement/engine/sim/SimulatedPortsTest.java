package dev.escapement.engine.sim;

import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.engine.contract.ExecutionQueriesContract;
import dev.escapement.engine.contract.ExecutionStoreContract;
import dev.escapement.engine.contract.JournalContract;
import org.junit.jupiter.api.Nested;

class SimulatedPortsTest {

    @Nested
    class TransactionalStoreTest extends ExecutionStoreContract {
        @Override
        protected ContractPorts open() {
            return SimulatedPorts.withoutFaults(true);
        }
    }

    @Nested
    class NonTransactionalStoreTest extends ExecutionStoreContract {
        @Override
        protected ContractPorts open() {
            return SimulatedPorts.withoutFaults(false);
        }
    }

    @Nested
    class QueriesTest extends ExecutionQueriesContract {
        @Override
        protected ContractPorts open() {
            return SimulatedPorts.withoutFaults(true);
        }
    }

    @Nested
    class JournalTest extends JournalContract {
        @Override
        protected ContractPorts open() {
            return SimulatedPorts.withoutFaults(true);
        }
    }
}
