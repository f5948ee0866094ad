package dev.escapement.storage;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.ServerRegistry.ServerIdentity;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Backend.ChangeTopic;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Stores executions and ledger entries as versioned rows; one call and its journal records are one transaction. */
record SqlExecutionStore(Backend backend, ServerRegistry serverRegistry, ExecutionRows executions, LedgerRows ledger)
        implements ExecutionStore {

    /** Ledger entries before executions: one lock order avoids deadlocks between acquiring and releasing a target. */
    private static final Comparator<StoreWrite> LOCK_ORDER =
            Comparator.comparing(write -> !(write instanceof StoreWrite.EntryUpdate));

    /** Uses an index that has the pending executions only; those that do not wait are pending for a moment. */
    static final String LIST_PENDING_SQL = "SELECT " + ExecutionRows.COLUMNS
            + " FROM executions WHERE phase = 'Pending' AND target = ? ORDER BY created_at, uid";

    SqlExecutionStore(Backend backend, ServerRegistry serverRegistry) {
        this(backend, serverRegistry, new ExecutionRows(backend.dialect()), new LedgerRows(backend.dialect()));
    }

    @Override
    public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
        return backend.read(
                () -> "read execution " + ref,
                session -> session.first(
                        "SELECT " + ExecutionRows.COLUMNS + " FROM executions WHERE uid = ?",
                        ExecutionRows::read,
                        ref.uid()));
    }

    /** Same as {@link #readEntry}: there is no cache. */
    @Override
    public Versioned<LedgerEntry> readCurrentEntry(Target target) {
        return readEntry(target);
    }

    @Override
    public Versioned<LedgerEntry> readEntry(Target target) {
        return backend.read(
                        () -> "read the ledger entry of " + target,
                        session -> session.first(
                                "SELECT " + LedgerRows.COLUMNS + " FROM ledger WHERE target = ?",
                                LedgerRows::read,
                                target.canonical()))
                .orElseGet(() -> new Versioned<>(LedgerEntry.initial(target), Versioned.ABSENT));
    }

    /**
     * Leaves out executions that cannot be read: they cannot start, so the others need not wait for them. They hold
     * nothing, because a target is held by its ledger entry.
     */
    @Override
    public List<GateRequest> readWaiting(Target target) {
        return backend
                .read(
                        () -> "read what waits for " + target,
                        session -> session.list(LIST_PENDING_SQL, ExecutionRows::tryRead, target.canonical()))
                .stream()
                .flatMap(Optional::stream)
                .map(Versioned::value)
                .filter(Execution::isWaiting)
                .map(execution -> execution.gateRequest(target))
                .toList();
    }

    @Override
    public boolean apply(List<StoreWrite> writes) {
        ServerIdentity server = serverRegistry.identity();
        List<RowUpdate> updates = writes.stream()
                .sorted(LOCK_ORDER)
                .map(write -> toUpdate(write, server))
                .toList();
        List<Transition> transitions = writes.stream()
                .map(write -> Transition.of(write, writes))
                .flatMap(Optional::stream)
                .toList();
        Supplier<String> what =
                () -> "write " + updates.stream().map(RowUpdate::subject).collect(Collectors.joining(", "));
        boolean committed = backend.write(what, session -> {
                    for (RowUpdate update : updates) {
                        if (!update.execute(session)) {
                            return Optional.empty();
                        }
                    }
                    backend.journal().append(session, transitions);
                    return Optional.of(true);
                })
                .isPresent();
        if (!committed) {
            serverRegistry.throwIfLeaseLost(server);
        } else if (!transitions.isEmpty()) {
            backend.publish(ChangeTopic.JOURNAL);
        }
        return committed;
    }

    private RowUpdate toUpdate(StoreWrite write, ServerIdentity server) {
        if (write instanceof StoreWrite.EntryUpdate entry) {
            return ledger.toUpdate(entry);
        } else if (write instanceof StoreWrite.StatusUpdate status) {
            return executions.updateStatus(status.expected(), status.updated(), server);
        } else if (write instanceof StoreWrite.Creation create) {
            return executions.insert(create.execution(), server);
        } else if (write instanceof StoreWrite.Cancellation cancel) {
            Execution cancelled = cancel.expected().value().cancelledBy(cancel.actor());
            return executions.updateDocument("cancellation", cancel.expected(), cancelled);
        } else if (write instanceof StoreWrite.ClearanceUpdate clearance) {
            Execution cleared = clearance.expected().value().withClearance(clearance.clearance());
            return executions.updateDocument("clearance", clearance.expected(), cleared);
        } else if (write instanceof StoreWrite.Expiry expiry) {
            return executions.delete(expiry.expected());
        }
        return executions.delete(((StoreWrite.Deletion) write).expected());
    }
}
