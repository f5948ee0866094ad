package dev.escapement.kubernetes.operator;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A store that answers nothing. */
record TroubledStore(Supplier<RuntimeException> trouble) implements Store {

    @Override
    public Optional<Versioned<Execution>> execution(ExecutionRef ref) {
        throw trouble.get();
    }

    @Override
    public Versioned<LedgerEntry> entry(Target target) {
        throw trouble.get();
    }

    @Override
    public Versioned<LedgerEntry> currentEntry(Target target) {
        throw trouble.get();
    }

    @Override
    public boolean apply(List<Write> writes) {
        throw trouble.get();
    }
}
