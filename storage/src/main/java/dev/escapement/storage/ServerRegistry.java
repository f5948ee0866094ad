package dev.escapement.storage;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.problem.StorageException.DatabaseRestoredException;
import dev.escapement.storage.problem.StorageException.ServerLeaseLostException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The servers that share a database. The server that accepts an execution owns and processes it. Each server has a
 * lease, timed by the clock of the database; when it has expired, another server may take over. From then on the first
 * can neither update its executions nor create new ones. Thread-safe.
 */
public final class ServerRegistry {

    /**
     * A server whose lease has expired.
     *
     * @param name for messages; empty if the server is not registered but owns executions
     */
    public record Server(String id, String name) {}

    /**
     * A renewed lease.
     *
     * @param left how long it is held, counted from before the query; zero or less if the query took too long
     * @param databaseTime the clock of the database at the renewal
     */
    public record LeaseRenewal(Duration left, Instant databaseTime) {}

    /** Finds the row of a server as its identity knows it; parameters are id, incarnation and renewals. */
    static final String FIND_REGISTERED_SQL =
            "SELECT 1 FROM servers WHERE id = ? AND incarnation = ? AND renewals >= ? AND NOT gone";

    private static final long GONE_SERVER_RETENTION_MILLIS = Duration.ofDays(30).toMillis();
    private static final String OWNS_UNFINISHED =
            "EXISTS (SELECT 1 FROM executions WHERE owner = servers.id AND NOT is_final)";

    private final Backend backend;
    private final LongSupplier ticker;
    private final String nowMillis;
    private final UnfinishedExecutions unfinished;
    private volatile ServerIdentity identity = ServerIdentity.UNREGISTERED;
    private volatile Duration leaseDuration = Duration.ZERO;

    /** @param ticker monotonic clock in nanoseconds */
    public ServerRegistry(Backend backend, LongSupplier ticker) {
        this.backend = backend;
        this.ticker = ticker;
        this.nowMillis = backend.dialect().nowMillis();
        this.unfinished = new UnfinishedExecutions(backend);
    }

    /**
     * Registers this process as the server with this id. It owns the executions that it accepts from now on, and those
     * that earlier processes with the same id accepted.
     *
     * @param id stays the same across restarts; two processes that run at once must not share it
     * @param name for messages
     * @param duration of the lease, from now and from every renewal
     * @return false if another server has taken over from this id: its runs are lost, and it needs a new id
     */
    public boolean register(String id, String name, Duration duration) {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("server id is empty");
        }
        Optional<ServerIdentity> registered = backend.write(() -> "register server " + id, session -> {
            session.update(
                    "DELETE FROM servers WHERE gone AND lease_ends < " + nowMillis + " - ? AND id <> ? AND NOT "
                            + OWNS_UNFINISHED,
                    GONE_SERVER_RETENTION_MILLIS,
                    id);
            return session.first(
                    "INSERT INTO servers (id, name, incarnation, lease_ends, gone, renewals) VALUES (?, ?, 1, "
                            + nowMillis + " + ?, false, 1) ON CONFLICT (id) DO UPDATE SET name = excluded.name,"
                            + " incarnation = servers.incarnation + 1, lease_ends = excluded.lease_ends,"
                            + " renewals = servers.renewals + 1"
                            + " WHERE NOT servers.gone RETURNING incarnation, renewals",
                    columns -> new ServerIdentity(id, columns.getLong(1), columns.getLong(2)),
                    id,
                    name,
                    duration.toMillis());
        });
        registered.ifPresent(self -> {
            leaseDuration = duration;
            identity = self;
        });
        return registered.isPresent();
    }

    /**
     * Renews the lease of this server.
     *
     * @throws ServerLeaseLostException if another server has taken over
     * @throws DatabaseRestoredException if the database is older than the last renewal
     */
    public LeaseRenewal renewLease() {
        long startNanos = ticker.getAsLong();
        ServerIdentity self = identity;
        Optional<LeaseRenewal> renewed = setLeaseEnd("renew", nowMillis + " + ?", leaseDuration.toMillis(), self)
                .map(databaseTime ->
                        new LeaseRenewal(leaseDuration.minusNanos(ticker.getAsLong() - startNanos), databaseTime));
        if (renewed.isEmpty()) {
            throwIfLeaseLost(self);
        }
        return renewed.orElseThrow(() -> leaseLost(self));
    }

    /** Ends the lease of this server, so that others can take over at once. */
    public void releaseLease() {
        setLeaseEnd("release", "?", 0, identity);
    }

    /** Returns the clock of the database; empty if the server is not registered as it was. */
    private Optional<Instant> setLeaseEnd(String verb, String expression, long millis, ServerIdentity self) {
        String sql = "UPDATE servers SET lease_ends = " + expression + ", renewals = renewals + 1"
                + " WHERE id = ? AND incarnation = ? AND renewals >= ? AND NOT gone RETURNING renewals, " + nowMillis;
        return backend.writeLease(
                        () -> verb + " the lease of server " + self.id(),
                        session -> session.first(
                                sql,
                                columns -> new RenewedRow(columns.getLong(1), Instant.ofEpochMilli(columns.getLong(2))),
                                millis,
                                self.id(),
                                self.incarnation(),
                                self.renewals()))
                .map(row -> {
                    identity = new ServerIdentity(self.id(), self.incarnation(), row.renewals());
                    return row.databaseTime();
                });
    }

    private record RenewedRow(long renewals, Instant databaseTime) {}

    /** Returns whether another server has taken over from this one, or it was never registered. */
    public boolean isGone(String serverId) {
        return backend.read(
                () -> "find server " + serverId,
                session -> !session.exists("SELECT 1 FROM servers WHERE id = ? AND NOT gone", serverId));
    }

    /**
     * Lists servers with an expired lease that may own unfinished executions. Includes servers that accepted an
     * execution just before they were taken over, and unregistered owners.
     */
    public List<Server> expiredServers() {
        // A server that released its lease and owns nothing may register again with its id.
        String sql = "SELECT id, name FROM servers WHERE id <> ? AND lease_ends < " + nowMillis
                + " AND ((NOT gone AND lease_ends > 0) OR " + OWNS_UNFINISHED
                + ") UNION SELECT DISTINCT owner, '' FROM executions"
                + " WHERE NOT is_final AND owner <> ? AND NOT EXISTS (SELECT 1 FROM servers WHERE id = owner)"
                + " ORDER BY 1";
        String self = identity.id();
        return backend.read(
                () -> "list expired leases",
                session -> session.list(
                        sql, columns -> new Server(columns.getString(1), columns.getString(2)), self, self));
    }

    /**
     * Takes over the unfinished executions of a server. From then on it is gone.
     *
     * @return the executions; empty if the lease has not expired
     * @throws ServerLeaseLostException if another server has taken over from this one
     */
    public Optional<List<ExecutionRef>> takeOver(String serverId) {
        ServerIdentity self = identity;
        Optional<List<ExecutionRef>> taken =
                backend.write(() -> "take over from server " + serverId, session -> takeOver(session, serverId, self));
        if (taken.isEmpty()) {
            throwIfLeaseLost(self);
        }
        return taken;
    }

    /**
     * Marks the server as gone first, so that it cannot renew its lease; then reassigns its executions with new
     * versions, so that everything it has read is out of date.
     */
    private Optional<List<ExecutionRef>> takeOver(SqlSession session, String id, ServerIdentity self)
            throws SQLException {
        boolean expired = session.update(
                        "UPDATE servers SET gone = true, lease_ends = CASE WHEN gone THEN lease_ends ELSE " + nowMillis
                                + " END WHERE id = ? AND id <> ? AND (gone OR lease_ends < " + nowMillis + ")",
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
                "UPDATE executions SET owner = ?, version = "
                        + backend.dialect().nextVersion() + " WHERE owner = ? AND " + condition
                        + " RETURNING namespace, name, uid",
                columns -> new ExecutionRef(columns.getString(1), columns.getString(2), columns.getString(3)),
                self.id(),
                id);
    }

    /** Calls back for each execution of this server without a terminal phase or that still holds its target. */
    public void forEachUnfinished(Consumer<Versioned<Execution>> callback) {
        unfinished.forEachExecution(identity.id(), callback);
    }

    /** Calls back for each target whose holder was deleted without releasing it. */
    public void forEachOrphanedTarget(Consumer<Target> callback) {
        unfinished.forEachOrphanedTarget(callback);
    }

    public ServerIdentity identity() {
        return identity;
    }

    /**
     * Checks whether a rejected write was rejected because the server has lost its lease; then it must not be retried.
     *
     * @throws ServerLeaseLostException if it has
     * @throws DatabaseRestoredException if the database is older than the last renewal
     */
    public void throwIfLeaseLost(ServerIdentity server) {
        if (server.id().isEmpty()) {
            return;
        }
        Supplier<String> what = () -> "find server " + server.id();
        if (backend.read(what, session -> !isRegistered(session, server))) {
            throw backend.read(what, session -> isOlderThan(session, server)) ? restored(server) : leaseLost(server);
        }
    }

    /** Returns whether the row is missing or is one that the server has overwritten: only a restore brings it back. */
    private static boolean isOlderThan(SqlSession session, ServerIdentity server) throws SQLException {
        return !session.exists(
                "SELECT 1 FROM servers WHERE id = ? AND (gone OR incarnation > ? OR (incarnation = ? AND renewals >= ?))",
                server.id(),
                server.incarnation(),
                server.incarnation(),
                server.renewals());
    }

    private static boolean isRegistered(SqlSession session, ServerIdentity server) throws SQLException {
        return session.exists(FIND_REGISTERED_SQL, server.id(), server.incarnation(), server.renewals());
    }

    private static ServerLeaseLostException leaseLost(ServerIdentity server) {
        return new ServerLeaseLostException(
                ("server %s has lost its lease: it expired and another server took over, or a server with the same id"
                                + " was started; stop its runs and restart it")
                        .formatted(server.id()));
    }

    private static DatabaseRestoredException restored(ServerIdentity server) {
        return new DatabaseRestoredException(
                ("the database is older than the last renewal by server %s: it was restored from a backup, or a standby"
                                + " without the latest commits took over")
                        .formatted(server.id()));
    }

    /**
     * The identity under which this process writes.
     *
     * @param id server id; empty before registration
     * @param incarnation grows with every registration of this id; only the newest may write
     * @param renewals the number of the last renewal that this process knows; the database has this one or a later one,
     *     unless it was restored from a backup
     */
    public record ServerIdentity(String id, long incarnation, long renewals) {

        public static final ServerIdentity UNREGISTERED = new ServerIdentity("", 0, 0);
    }
}
