package dev.escapement.storage;

import dev.escapement.engine.contract.ExecutionQueriesContract;
import dev.escapement.engine.contract.JournalContract;
import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.engine.contract.ExecutionStoreContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Both databases keep what the engine's ports promise. */
@ParameterizedClass
@EnumSource(Kind.class)
class ContractsTest {

    private final TestDatabase database;

    ContractsTest(Kind kind) {
        database = kind.fresh();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Nested
    class Stores extends ExecutionStoreContract {
        @Override
        protected ContractPorts open() {
            return database.ports();
        }
    }

    @Nested
    class LookUps extends ExecutionQueriesContract {
        @Override
        protected ContractPorts open() {
            return database.ports();
        }
    }

    @Nested
    class Journals extends JournalContract {
        @Override
        protected ContractPorts open() {
            return database.ports();
        }
    }
}
