package dev.escapement.notifications.audit.sink;

import dev.escapement.common.SafeText;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Stores up to which entry the sink has confirmed records, which server sends, and what was refused. Thread-safe. */
public record SinkStore(Backend backend) {

    private static final String LETTER_COLUMNS = "sequence, status, error, refused_at, replay_requested, document";

    private static final String INSERT_LETTER_SQL =
            "INSERT INTO audit_dead_letters (" + LETTER_COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?)";

    /**
     * How far the sink is behind.
     *
     * @param records how many records it has not confirmed
     * @param oldest when the oldest of them happened
     */
    public record Backlog(long records, Optional<Instant> oldest, long deadLetters) {

        public static final Backlog NONE = new Backlog(0, Optional.empty(), 0);
    }

    /** Returns the number of the last entry that the sink has confirmed or refused. */
    public long position() {
        return backend.read(
                        () -> "read the position of the audit sink",
                        session -> session.first("SELECT sequence FROM audit_sink", row -> row.getLong(1)))
                .orElse(0L);
    }

    /**
     * Makes this server the one that sends, or renews that. Other servers may take over after the lease.
     *
     * @return false if another server sends
     */
    public boolean claim(String server, Duration lease) {
        String now = backend.dialect().nowMillis();
        return update(
                "claim the audit sink",
                "UPDATE audit_sink SET server = ?, lease_until = " + now + " + ? WHERE server = ? OR lease_until < "
                        + now,
                server,
                lease.toMillis(),
                server);
    }

    /** Lets another server send at once. */
    public void release(String server) {
        update("release the audit sink", "UPDATE audit_sink SET lease_until = 0 WHERE server = ?", server);
    }

    /** Advances the position; returns false if another server has taken over. */
    public boolean advance(String server, long expected, long confirmed) {
        return update(
                "advance the audit sink",
                "UPDATE audit_sink SET sequence = ? WHERE sequence = ? AND server = ?",
                confirmed,
                expected,
                server);
    }

    private boolean update(String what, String sql, Object... parameters) {
        return backend.write(
                        () -> what,
                        session -> session.update(sql, parameters) == 1 ? Optional.of(true) : Optional.<Boolean>empty())
                .isPresent();
    }

    /** Stores a refused record and advances the position over it, in one transaction. */
    public boolean addDeadLetter(String server, long expected, DeadLetter letter) {
        return backend.write(() -> "store a refused audit record", session -> {
                    boolean advanced = session.update(
                                    "UPDATE audit_sink SET sequence = ? WHERE sequence = ? AND server = ?",
                                    letter.sequence(),
                                    expected,
                                    server)
                            == 1;
                    if (!advanced) {
                        return Optional.<Boolean>empty();
                    }
                    insert(session, letter);
                    return Optional.of(true);
                })
                .isPresent();
    }

    private static void insert(SqlSession session, DeadLetter letter) throws SQLException {
        session.update(
                INSERT_LETTER_SQL,
                letter.sequence(),
                letter.status(),
                SafeText.storable(letter.error()),
                EpochMicros.of(letter.refusedAt()),
                letter.replayRequested(),
                letter.document());
    }

    /** Lists refused records by their number. */
    public List<DeadLetter> listDeadLetters(long after, int limit) {
        return backend.read(
                () -> "list refused audit records",
                session -> session.list(
                        "SELECT " + LETTER_COLUMNS
                                + " FROM audit_dead_letters WHERE sequence > ? ORDER BY sequence LIMIT ?",
                        SinkStore::readLetter,
                        after,
                        limit));
    }

    /** Returns the first refused record that is to be sent again. */
    public Optional<DeadLetter> nextReplay() {
        return backend.read(
                () -> "find refused audit records to send again",
                session -> session.first(
                        "SELECT " + LETTER_COLUMNS
                                + " FROM audit_dead_letters WHERE replay_requested ORDER BY sequence LIMIT 1",
                        SinkStore::readLetter));
    }

    /** Marks all refused records to be sent again; returns how many. */
    public int requestReplay() {
        return backend.write(
                        () -> "request refused audit records again",
                        session ->
                                Optional.of(session.update("UPDATE audit_dead_letters SET replay_requested = ?", true)))
                .orElse(0);
    }

    /** Removes a record that the sink has accepted now. */
    public void removeDeadLetter(long sequence) {
        update("remove a delivered audit record", "DELETE FROM audit_dead_letters WHERE sequence = ?", sequence);
    }

    /** Replaces a record that the sink has refused again: it is sent again only on request. */
    public void replaceDeadLetter(DeadLetter letter) {
        backend.write(() -> "store a refused audit record", session -> {
            session.update("DELETE FROM audit_dead_letters WHERE sequence = ?", letter.sequence());
            insert(session, letter);
            return Optional.of(true);
        });
    }

    /** Reads how far the sink is behind. */
    public Backlog backlog() {
        return backend.read(() -> "read the backlog of the audit sink", session -> {
            long position = session.first("SELECT sequence FROM audit_sink", row -> row.getLong(1))
                    .orElse(0L);
            long head = session.first("SELECT sequence FROM audit_head", row -> row.getLong(1))
                    .orElse(0L);
            Optional<Instant> oldest = session.first(
                    "SELECT occurred_at FROM audit WHERE sequence > ? ORDER BY sequence LIMIT 1",
                    row -> toInstant(row.getLong(1)),
                    position);
            long letters = session.first("SELECT count(*) FROM audit_dead_letters", row -> row.getLong(1))
                    .orElse(0L);
            return new Backlog(Math.max(0, head - position), oldest, letters);
        });
    }

    private static DeadLetter readLetter(ResultSet row) throws SQLException {
        return new DeadLetter(
                row.getLong(1),
                row.getInt(2),
                row.getString(3),
                toInstant(row.getLong(4)),
                row.getBoolean(5),
                row.getString(6));
    }

    private static Instant toInstant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
