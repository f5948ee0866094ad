package dev.escapement.storage.registry;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.table.ExecutionRows;
import dev.escapement.storage.table.ServerIdentity;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes rows of the table {@code servers}, and the owner of executions. */
public final class ServerRows {

    /** The two kinds of unfinished executions. */
    public enum UnfinishedKind {
        NOT_FINAL("FROM executions WHERE owner = ? AND NOT is_final"),
        FINAL_HOLDING_TARGET(
                "FROM ledger JOIN executions ON uid = holder WHERE holder <> '' AND owner = ? AND is_final");

        private final String fromClause;

        UnfinishedKind(String fromClause) {
            this.fromClause = fromClause;
        }

        public String query() {
            return "SELECT " + ExecutionRows.COLUMNS + " " + fromClause + " AND uid > ? ORDER BY uid LIMIT "
                    + BATCH_SIZE;
        }
    }

    private static final int BATCH_SIZE = 200;
    private static final long GONE_SERVER_RETENTION_MILLIS = Duration.ofDays(30).toMillis();
    private static final String OWNS_UNFINISHED =
            "EXISTS (SELECT 1 FROM executions WHERE owner = servers.id AND NOT is_final)";

    private final Dialect dialect;

    ServerRows(Dialect dialect) {
        this.dialect = dialect;
    }

    Optional<Long> register(SqlSession session, String id, String name, Duration lease) throws SQLException {
        session.update(
                "DELETE FROM servers WHERE gone AND lease_ends < " + dialect.nowMillis() + " - ? AND id <> ? AND NOT "
                        + OWNS_UNFINISHED,
                GONE_SERVER_RETENTION_MILLIS,
                id);
        return session.first(
                "INSERT INTO servers (id, name, incarnation, lease_ends, gone) VALUES (?, ?, 1, " + dialect.nowMillis()
                        + " + ?, false) ON CONFLICT (id) DO UPDATE SET name = excluded.name,"
                        + " incarnation = servers.incarnation + 1, lease_ends = excluded.lease_ends"
                        + " WHERE NOT servers.gone RETURNING incarnation",
                columns -> columns.getLong(1),
                id,
                name,
                lease.toMillis());
    }

    Optional<Boolean> renewLease(SqlSession session, ServerIdentity server, Duration lease) throws SQLException {
        return trueIfOneRow(session.update(
                "UPDATE servers SET lease_ends = " + dialect.nowMillis()
                        + " + ? WHERE id = ? AND incarnation = ? AND NOT gone",
                lease.toMillis(),
                server.id(),
                server.incarnation()));
    }

    Optional<Boolean> releaseLease(SqlSession session, ServerIdentity server) throws SQLException {
        return trueIfOneRow(session.update(
                "UPDATE servers SET lease_ends = 0 WHERE id = ? AND incarnation = ? AND NOT gone",
                server.id(),
                server.incarnation()));
    }

    boolean isGone(SqlSession session, String id) throws SQLException {
        return !session.exists("SELECT 1 FROM servers WHERE id = ? AND NOT gone", id);
    }

    boolean isRegistered(SqlSession session, ServerIdentity server) throws SQLException {
        return session.exists(
                "SELECT 1 FROM servers WHERE id = ? AND incarnation = ? AND NOT gone",
                server.id(),
                server.incarnation());
    }

    /** Includes servers that accepted an execution just before they were taken over, and unregistered owners. */
    List<ServerRegistry.Server> expiredServers(SqlSession session, ServerIdentity self) throws SQLException {
        return session.list(
                "SELECT id, name FROM servers WHERE id <> ? AND lease_ends < " + dialect.nowMillis()
                        // A server that released its lease and owns nothing may register again with its id.
                        + " AND ((NOT gone AND lease_ends > 0) OR " + OWNS_UNFINISHED
                        + ") UNION SELECT DISTINCT owner, '' FROM executions"
                        + " WHERE NOT is_final AND owner <> ? AND NOT EXISTS (SELECT 1 FROM servers WHERE id = owner)"
                        + " ORDER BY 1",
                columns -> new ServerRegistry.Server(columns.getString(1), columns.getString(2)),
                self.id(),
                self.id());
    }

    /**
     * Marks the server as gone first, so that it cannot renew its lease; then reassigns its executions with new
     * versions, so that everything it has read is out of date.
     */
    Optional<List<ExecutionRef>> takeOver(SqlSession session, String id, ServerIdentity self) throws SQLException {
        String now = dialect.nowMillis();
        boolean expired = session.update(
                        "UPDATE servers SET gone = true, lease_ends = CASE WHEN gone THEN lease_ends ELSE " + now
                                + " END WHERE id = ? AND id <> ? AND (gone OR lease_ends < " + now + ")",
                        id,
                        self.id())
                == 1;
        boolean known = expired || session.exists("SELECT 1 FROM servers WHERE id = ?", id);
        if ((known && !expired) || (!self.id().isEmpty() && !isRegistered(session, self))) {
            return Optional.empty();
        }
        List<ExecutionRef> taken = new ArrayList<>(reassign(session, "NOT is_final", id, self));
        taken.addAll(reassign(session, "is_final AND uid IN (SELECT holder FROM ledger WHERE holder <> '')", id, self));
        return Optional.of(taken);
    }

    private List<ExecutionRef> reassign(SqlSession session, String condition, String id, ServerIdentity self)
            throws SQLException {
        return session.list(
                "UPDATE executions SET owner = ?, version = " + dialect.nextVersion() + " WHERE owner = ? AND "
                        + condition
                        + " RETURNING namespace, name, uid",
                columns -> new ExecutionRef(columns.getString(1), columns.getString(2), columns.getString(3)),
                self.id(),
                id);
    }

    List<Versioned<Execution>> listUnfinished(
            SqlSession session, UnfinishedKind kind, ServerIdentity self, String after) throws SQLException {
        return session.list(kind.query(), ExecutionRows::read, self.id(), after);
    }

    List<Target> listOrphanedTargets(SqlSession session, String after) throws SQLException {
        return session.list(
                "SELECT target FROM ledger WHERE holder <> '' AND target > ?"
                        + " AND NOT EXISTS (SELECT 1 FROM executions WHERE uid = holder) ORDER BY target LIMIT "
                        + BATCH_SIZE,
                columns -> Target.parse(columns.getString(1)),
                after);
    }

    private static Optional<Boolean> trueIfOneRow(int rows) {
        return rows == 1 ? Optional.of(true) : Optional.empty();
    }
}
