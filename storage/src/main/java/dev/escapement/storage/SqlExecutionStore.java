package dev.escapement.storage;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.ChangeTopic;
import dev.escapement.storage.registry.ServerRegistry;
import dev.escapement.storage.table.ExecutionRows;
import dev.escapement.storage.table.LedgerRows;
import dev.escapement.storage.table.RowUpdate;
import dev.escapement.storage.table.ServerIdentity;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Executions and entries as rows with versions; all the changes of one call, and their records, in one transaction. */
final class SqlExecutionStore implements ExecutionStore {

    private final Backend backend;
    private final ServerRegistry serverRegistry;
    private final ExecutionRows executions;
    private final LedgerRows ledger;

    SqlExecutionStore(Backend backend, ServerRegistry fleet) {
        this.backend = backend;
        this.serverRegistry = fleet;
        this.executions = new ExecutionRows(backend.dialect());
        this.ledger = new LedgerRows(backend.dialect());
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

    /** Every look is at the database. */
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

    @Override
    public boolean apply(List<StoreWrite> writes) {
        ServerIdentity member = serverRegistry.identity();
        List<RowUpdate> changes =
                sortForLocking(writes).map(write -> toUpdate(write, member)).toList();
        List<Transition> told =
                writes.stream().map(Transition::of).flatMap(Optional::stream).toList();
        boolean made = backend.write(() -> describe(writes), session -> {
                    for (RowUpdate change : changes) {
                        if (!change.execute(session)) {
                            return Optional.empty();
                        }
                    }
                    backend.journal().append(session, told);
                    return Optional.of(true);
                })
                .isPresent();
        if (!made) {
            serverRegistry.throwIfLeaseLost(member);
        } else if (!told.isEmpty()) {
            backend.publish(ChangeTopic.JOURNAL);
        }
        return made;
    }

    /**
     * Entries before executions, so that one who takes a target and one who releases it do not wait for each other. In
     * a transaction nobody sees the order.
     */
    private static Stream<StoreWrite> sortForLocking(List<StoreWrite> writes) {
        return Stream.concat(
                writes.stream().filter(StoreWrite.EntryUpdate.class::isInstance),
                writes.stream().filter(write -> !(write instanceof StoreWrite.EntryUpdate)));
    }

    private RowUpdate toUpdate(StoreWrite write, ServerIdentity member) {
        if (write instanceof StoreWrite.EntryUpdate entry) {
            return ledger.toUpdate(entry);
        } else if (write instanceof StoreWrite.StatusUpdate status) {
            return executions.updateStatus(status.expected(), status.updated(), member);
        } else if (write instanceof StoreWrite.Creation create) {
            return executions.insert(create.execution(), member);
        } else if (write instanceof StoreWrite.Cancellation cancel) {
            return executions.updateDocument(
                    cancel.expected(), cancel.expected().value().cancelledBy(cancel.actor()));
        } else if (write instanceof StoreWrite.ClearanceUpdate cleared) {
            return executions.updateDocument(
                    cleared.expected(), cleared.expected().value().withClearance(cleared.clearance()));
        }
        return executions.delete(((StoreWrite.Deletion) write).expected());
    }

    private static String describe(List<StoreWrite> writes) {
        return "write " + writes.stream().map(SqlExecutionStore::describe).collect(Collectors.joining(", "));
    }

    private static String describe(StoreWrite write) {
        if (write instanceof StoreWrite.EntryUpdate entry) {
            return "the ledger entry of " + entry.updated().target();
        } else if (write instanceof StoreWrite.StatusUpdate status) {
            return "the status " + status.updated().phase() + " of execution "
                    + status.expected().value().ref();
        } else if (write instanceof StoreWrite.Creation create) {
            return "the new execution " + create.execution().ref();
        } else if (write instanceof StoreWrite.Cancellation cancel) {
            return "the cancellation of execution " + cancel.expected().value().ref();
        } else if (write instanceof StoreWrite.ClearanceUpdate cleared) {
            return "the clearance of execution " + cleared.expected().value().ref();
        }
        return "the deletion of execution "
                + ((StoreWrite.Deletion) write).expected().value().ref();
    }
}
