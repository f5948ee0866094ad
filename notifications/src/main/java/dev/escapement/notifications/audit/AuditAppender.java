package dev.escapement.notifications.audit;

import dev.escapement.api.audit.AuditRecord;
import dev.escapement.engine.mapping.AuditRecordMapper;
import dev.escapement.engine.port.Journal;
import dev.escapement.storage.Database;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Copies journal records to the end of the chain, each exactly once. The position in the journal and the head of the
 * chain are one row, which changes in the transaction of the copy: several servers may copy at once, and one of them
 * succeeds.
 */
public final class AuditAppender {

    /** Limits the length of a transaction. */
    static final int BATCH_SIZE = 500;

    private static final int MAX_CONFLICTS = 20;

    /** What one call has done. */
    public enum Result {
        /** All records were copied. */
        COMPLETE,
        /** There may be more records. */
        MORE,
        /** Another server has copied the records meanwhile; nothing was changed. */
        CONFLICT
    }

    private final Backend backend;
    private final Journal journal;
    private final AuditTable table;

    public AuditAppender(Database database) {
        this.backend = database.backend();
        this.journal = database.journal();
        this.table = new AuditTable(backend);
    }

    /** Copies the next records, at most {@value #BATCH_SIZE}. */
    public Result appendNext() {
        ChainHead head = backend.read(() -> "read the head of the audit trail", AuditTable::readHead);
        List<Journal.Entry> records = journal.read(head.journalPosition(), BATCH_SIZE);
        if (records.isEmpty()) {
            return Result.COMPLETE;
        }
        List<ChainEntry> entries = chain(
                head,
                records.stream()
                        .map(entry -> AuditRecordMapper.toRecord(entry.transition()))
                        .toList());
        String position = records.get(records.size() - 1).position();
        boolean appended = backend.write(
                        () -> "append to the audit trail",
                        session -> table.append(session, head, entries, position)
                                ? Optional.of(true)
                                : Optional.<Boolean>empty())
                .isPresent();
        if (!appended) {
            return Result.CONFLICT;
        }
        return records.size() < BATCH_SIZE ? Result.COMPLETE : Result.MORE;
    }

    /**
     * Appends records of another source than the journal, in their order, without those that the trail has: whoever
     * repeats them after a crash changes nothing.
     *
     * @return false if other servers have appended all the time; then nothing was changed
     */
    public boolean appendMissing(List<AuditRecord> records) {
        for (int attempt = 0; attempt < MAX_CONFLICTS; attempt++) {
            boolean appended = backend.write(
                            () -> "append to the audit trail",
                            session -> appendMissing(session, records) ? Optional.of(true) : Optional.<Boolean>empty())
                    .isPresent();
            if (appended) {
                return true;
            }
        }
        return false;
    }

    /** The head is read first: who appends one of these records meanwhile changes it. */
    private boolean appendMissing(SqlSession session, List<AuditRecord> records) throws SQLException {
        ChainHead head = AuditTable.readHead(session);
        List<AuditRecord> missing = new ArrayList<>();
        for (AuditRecord each : records) {
            if (!session.exists("SELECT 1 FROM audit WHERE id = ?", String.valueOf(each.id()))) {
                missing.add(each);
            }
        }
        return missing.isEmpty() || table.append(session, head, chain(head, missing), head.journalPosition());
    }

    private static List<ChainEntry> chain(ChainHead head, List<AuditRecord> records) {
        List<ChainEntry> entries = new ArrayList<>(records.size());
        long sequence = head.sequence();
        String hash = head.hash();
        for (AuditRecord each : records) {
            ChainEntry entry = ChainEntry.after(sequence, hash, each);
            entries.add(entry);
            sequence = entry.sequence();
            hash = entry.hash();
        }
        return entries;
    }
}
