package dev.escapement.storage;

import dev.escapement.api.target.RemediationTarget;
import dev.escapement.common.Json;
import dev.escapement.engine.mapping.TargetMapper;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.EpochMicros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes rows of the table {@code ledger}. */
final class LedgerRows {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerRows.class);

    /** The columns that {@link #read} reads. */
    static final String COLUMNS = "version, document, target";

    private final String insertSql;
    private final String updateSql;

    LedgerRows(Dialect dialect) {
        this.insertSql = "INSERT INTO ledger (target, object_name, holder, failing, written_at, document, version)"
                + " VALUES (?, ?, ?, ?, ?, ?, " + dialect.newVersion() + ") ON CONFLICT DO NOTHING";
        this.updateSql = "UPDATE ledger SET holder = ?, failing = ?, written_at = ?, document = ?, version = "
                + dialect.nextVersion() + " WHERE target = ? AND version = ?";
    }

    /** Inserts or updates an entry, or deletes it if it is idle. An entry that was absent must still be absent. */
    RowUpdate toUpdate(StoreWrite.EntryUpdate write) {
        LedgerEntry next = write.updated();
        String target = next.target().canonical();
        String subject = "the ledger entry of " + next.target();
        boolean absent = write.expected().version().equals(Versioned.ABSENT);
        long version = RowUpdate.rowVersion(write.expected());
        if (next.isIdle(write.at())) {
            return absent
                    ? new RowUpdate(subject, "UPDATE ledger SET version = version WHERE target = ?", List.of(target), 0)
                    : RowUpdate.expectingOneRow(
                            subject, "DELETE FROM ledger WHERE target = ? AND version = ?", target, version);
        }
        String name = next.target().objectName();
        String holder = next instanceof Held held ? held.holder().execution().uid() : "";
        boolean failing = next.memory().hasFailures();
        long at = EpochMicros.of(write.at());
        String document = Json.write(TargetMapper.toDocument(next, ""));
        return absent
                ? RowUpdate.expectingOneRow(subject, insertSql, target, name, holder, failing, at, document)
                : RowUpdate.expectingOneRow(subject, updateSql, holder, failing, at, document, target, version);
    }

    /** Returns empty for a row that cannot be read, so that it does not hide others; the log names it. */
    static Optional<Versioned<LedgerEntry>> tryRead(ResultSet columns) throws SQLException {
        String target = columns.getString(3);
        try {
            return Optional.of(read(columns));
        } catch (RuntimeException unreadable) {
            LOG.warn("Ledger entry of {} cannot be read and is left out: {}", target, unreadable.toString());
            return Optional.empty();
        }
    }

    static Versioned<LedgerEntry> read(ResultSet columns) throws SQLException {
        RemediationTarget document = Json.read(columns.getString(2), RemediationTarget.class);
        return new Versioned<>(TargetMapper.fromDocument(document), columns.getString(1));
    }
}
