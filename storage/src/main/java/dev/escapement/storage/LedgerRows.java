package dev.escapement.storage;

import dev.escapement.engine.document.TargetDocument;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.Json;
import dev.escapement.storage.jdbc.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The table of ledger entries. */
final class LedgerRows {

    /** The columns that {@link #read} reads. */
    static final String COLUMNS = "version, document";

    private final String insert;
    private final String update;

    LedgerRows(Dialect dialect) {
        this.insert = "INSERT INTO ledger (target, object_name, holder, failing, written_at, document, version)"
                + " VALUES (?, ?, ?, ?, ?, ?, " + dialect.newVersion() + ") ON CONFLICT DO NOTHING";
        this.update = "UPDATE ledger SET holder = ?, failing = ?, written_at = ?, document = ?, version = "
                + dialect.nextVersion() + " WHERE target = ? AND version = ?";
    }

    /** An entry that does not exist must still not exist; an idle one is removed instead of kept. */
    Change change(StoreWrite.EntryUpdate write) {
        LedgerEntry next = write.updated();
        String target = next.target().canonical();
        boolean absent = write.expected().version().equals(Versioned.ABSENT);
        if (next.isIdle(write.at())) {
            return absent
                    ? Change.none("UPDATE ledger SET version = version WHERE target = ?", target)
                    : Change.one(
                            "DELETE FROM ledger WHERE target = ? AND version = ?",
                            target,
                            Versions.number(write.expected()));
        }
        String holder = next instanceof Held held ? held.holder().execution().uid() : "";
        boolean failing = next.memory().hasFailures();
        long at = Micros.of(write.at());
        String document = Json.write(TargetDocument.write(next, ""));
        return absent
                ? Change.one(insert, target, next.target().objectName(), holder, failing, at, document)
                : Change.one(update, holder, failing, at, document, target, Versions.number(write.expected()));
    }

    static Versioned<LedgerEntry> read(ResultSet columns) throws SQLException {
        return new Versioned<>(TargetDocument.read(Json.read(columns.getString(2))), columns.getString(1));
    }
}
