package dev.escapement.kubernetes.controller;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A store whose every method throws. */
record FailingStore(Supplier<RuntimeException> failure) implements ExecutionStore {

    @Override
    public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
        throw failure.get();
    }

    @Override
    public Versioned<LedgerEntry> readEntry(Target target) {
        throw failure.get();
    }

    @Override
    public Versioned<LedgerEntry> readCurrentEntry(Target target) {
        throw failure.get();
    }

    @Override
    public List<GateRequest> readWaiting(Target target) {
        throw failure.get();
    }

    @Override
    public boolean apply(List<StoreWrite> writes) {
        throw failure.get();
    }
}
