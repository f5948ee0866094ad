package dev.escapement.kubernetes.operator;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A store that answers nothing. */
record TroubledStore(Supplier<RuntimeException> trouble) implements ExecutionStore {

    @Override
    public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
        throw trouble.get();
    }

    @Override
    public Versioned<LedgerEntry> readEntry(Target target) {
        throw trouble.get();
    }

    @Override
    public Versioned<LedgerEntry> readCurrentEntry(Target target) {
        throw trouble.get();
    }

    @Override
    public boolean apply(List<StoreWrite> writes) {
        throw trouble.get();
    }
}
