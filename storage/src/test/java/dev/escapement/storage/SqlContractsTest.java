package dev.escapement.storage;

import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.engine.contract.ExecutionQueriesContract;
import dev.escapement.engine.contract.ExecutionStoreContract;
import dev.escapement.engine.contract.JournalContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the contract tests of the engine's ports on both databases. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class SqlContractsTest {

    private final TestDatabase testDatabase;

    SqlContractsTest(DatabaseKind kind) {
        testDatabase = kind.create();
    }

    @AfterEach
    void close() {
        testDatabase.close();
    }

    @Nested
    class StoreContractTests extends ExecutionStoreContract {
        @Override
        protected ContractPorts open() {
            return testDatabase.openPorts();
        }
    }

    @Nested
    class QueriesContractTests extends ExecutionQueriesContract {
        @Override
        protected ContractPorts open() {
            return testDatabase.openPorts();
        }
    }

    @Nested
    class JournalContractTests extends JournalContract {
        @Override
        protected ContractPorts open() {
            return testDatabase.openPorts();
        }
    }
}
