package dev.escapement.storage;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Topic;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Executions and entries as rows with versions; all the changes of one call, and their records, in one transaction. */
final class SqlStore implements Store {

    private final Backend backend;
    private final Fleet fleet;
    private final ExecutionRows executions;
    private final LedgerRows ledger;

    SqlStore(Backend backend, Fleet fleet) {
        this.backend = backend;
        this.fleet = fleet;
        this.executions = new ExecutionRows(backend.dialect());
        this.ledger = new LedgerRows(backend.dialect());
    }

    @Override
    public Optional<Versioned<Execution>> execution(ExecutionRef ref) {
        return backend.read(
                () -> "read execution " + ref,
                session -> session.first(
                        "SELECT " + ExecutionRows.COLUMNS + " FROM executions WHERE uid = ?",
                        ExecutionRows::read,
                        ref.uid()));
    }

    /** Every look is at the database. */
    @Override
    public Versioned<LedgerEntry> currentEntry(Target target) {
        return entry(target);
    }

    @Override
    public Versioned<LedgerEntry> entry(Target target) {
        return backend.read(
                        () -> "read the ledger entry of " + target,
                        session -> session.first(
                                "SELECT " + LedgerRows.COLUMNS + " FROM ledger WHERE target = ?",
                                LedgerRows::read,
                                target.canonical()))
                .orElseGet(() -> new Versioned<>(LedgerEntry.fresh(target), Versioned.ABSENT));
    }

    @Override
    public boolean apply(List<Write> writes) {
        Member member = fleet.member();
        List<Change> changes =
                inLockOrder(writes).map(write -> change(write, member)).toList();
        List<Transition> told =
                writes.stream().map(Transition::of).flatMap(Optional::stream).toList();
        boolean made = backend.write(() -> describe(writes), session -> {
                    for (Change change : changes) {
                        if (!change.isMade(session)) {
                            return Optional.empty();
                        }
                    }
                    backend.journal().append(session, told);
                    return Optional.of(true);
                })
                .isPresent();
        if (!made) {
            fleet.refuseIfRetired(member);
        } else if (!told.isEmpty()) {
            backend.announce(Topic.JOURNAL);
        }
        return made;
    }

    /**
     * Entries before executions, so that one who takes a target and one who releases it do not wait for each other. In
     * a transaction nobody sees the order.
     */
    private static Stream<Write> inLockOrder(List<Write> writes) {
        return Stream.concat(
                writes.stream().filter(Write.Entry.class::isInstance),
                writes.stream().filter(write -> !(write instanceof Write.Entry)));
    }

    private Change change(Write write, Member member) {
        if (write instanceof Write.Entry entry) {
            return ledger.change(entry);
        } else if (write instanceof Write.StatusOf status) {
            return executions.advance(status.seen(), status.next(), member);
        } else if (write instanceof Write.Create create) {
            return executions.create(create.next(), member);
        } else if (write instanceof Write.CancelOf cancel) {
            return executions.annotate(cancel.seen(), cancel.seen().value().cancelledBy(cancel.by()));
        } else if (write instanceof Write.ClearanceOf cleared) {
            return executions.annotate(cleared.seen(), cleared.seen().value().cleared(cleared.clearance()));
        }
        return executions.delete(((Write.DeleteOf) write).seen());
    }

    private static String describe(List<Write> writes) {
        return "write " + writes.stream().map(SqlStore::describe).collect(Collectors.joining(", "));
    }

    private static String describe(Write write) {
        if (write instanceof Write.Entry entry) {
            return "the ledger entry of " + entry.next().target();
        } else if (write instanceof Write.StatusOf status) {
            return "the status " + status.next().phase() + " of execution "
                    + status.seen().value().ref();
        } else if (write instanceof Write.Create create) {
            return "the new execution " + create.next().ref();
        } else if (write instanceof Write.CancelOf cancel) {
            return "the cancellation of execution " + cancel.seen().value().ref();
        } else if (write instanceof Write.ClearanceOf cleared) {
            return "the clearance of execution " + cleared.seen().value().ref();
        }
        return "the deletion of execution "
                + ((Write.DeleteOf) write).seen().value().ref();
    }
}
