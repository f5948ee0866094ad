package dev.escapement.notifications.audit;

import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.EpochMicros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores checkpoints of the chain, and removes old entries up to one of them. Thread-safe. */
public record CheckpointStore(Backend backend) {

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointStore.class);

    private static final int DELETE_BATCH_SIZE = 500;

    private static final String SELECT_SQL =
            "SELECT sequence, hash, created_at FROM audit_checkpoints ORDER BY sequence";

    /** Inserts nothing if there is a checkpoint of that entry already. */
    private static final String INSERT_SQL = "INSERT INTO audit_checkpoints (sequence, hash, created_at)"
            + " SELECT sequence, hash, CAST(? AS bigint) FROM audit_head WHERE sequence > 0"
            + " AND NOT EXISTS (SELECT 1 FROM audit_checkpoints AS known WHERE known.sequence = audit_head.sequence)";

    /** The newest checkpoint before which only entries may be removed. */
    private static final String REMOVABLE_SQL = "SELECT max(sequence) FROM audit_checkpoints WHERE created_at < ?"
            + " AND sequence <= ? AND sequence > (SELECT anchor_sequence FROM audit_head)";

    private static final String ANCHOR_SQL = "UPDATE audit_head SET anchor_sequence = ?,"
            + " anchor_hash = (SELECT hash FROM audit_checkpoints AS chosen WHERE chosen.sequence = ?)"
            + " WHERE anchor_sequence < ?";

    private static final String DELETE_SQL =
            "DELETE FROM audit WHERE sequence IN (SELECT old.sequence FROM audit AS old"
                    + " WHERE old.sequence <= (SELECT anchor_sequence FROM audit_head) ORDER BY old.sequence LIMIT ?)";

    /** Stores and logs a checkpoint of the newest entry, unless it has one. */
    public void create(Instant now) {
        boolean created = backend.write(
                        () -> "store a checkpoint of the audit trail",
                        session -> session.update(INSERT_SQL, EpochMicros.of(now)) > 0
                                ? Optional.of(true)
                                : Optional.<Boolean>empty())
                .isPresent();
        if (created) {
            readNewest()
                    .ifPresent(newest ->
                            LOG.info("Audit checkpoint: sequence={} hash={}", newest.sequence(), newest.hash()));
        }
    }

    private Optional<AuditCheckpoint> readNewest() {
        return backend.read(
                () -> "read the newest checkpoint of the audit trail",
                session -> session.first(SELECT_SQL + " DESC LIMIT 1", CheckpointStore::read));
    }

    /** Returns all checkpoints, oldest first. */
    public List<AuditCheckpoint> list() {
        return backend.read(
                () -> "list the checkpoints of the audit trail",
                session -> session.list(SELECT_SQL, CheckpointStore::read));
    }

    private static AuditCheckpoint read(ResultSet row) throws SQLException {
        return new AuditCheckpoint(
                row.getLong(1), row.getString(2), Instant.EPOCH.plus(row.getLong(3), ChronoUnit.MICROS));
    }

    /**
     * Removes the entries up to the newest checkpoint of before an instant. That checkpoint becomes the anchor of the
     * chain: what is left can be verified as before. Stops early when the thread is interrupted.
     *
     * @param maxSequence the last entry that may be removed: the sink has not confirmed those after it
     * @return how many entries were removed
     */
    public long removeBefore(Instant before, long maxSequence) {
        backend.write(() -> "move the anchor of the audit trail", session -> {
            Optional<Long> anchor = session.first(
                            REMOVABLE_SQL, row -> row.getLong(1), EpochMicros.of(before), maxSequence)
                    .filter(sequence -> sequence > 0);
            if (anchor.isPresent()) {
                session.update(ANCHOR_SQL, anchor.get(), anchor.get(), anchor.get());
            }
            return anchor;
        });
        long removed = 0;
        int batch;
        do {
            batch = backend.write(
                            () -> "remove old entries of the audit trail",
                            session -> Optional.of(session.update(DELETE_SQL, DELETE_BATCH_SIZE)))
                    .orElse(0);
            removed += batch;
        } while (batch == DELETE_BATCH_SIZE && !Thread.currentThread().isInterrupted());
        return removed;
    }
}
