package dev.escapement.storage.registry;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.problem.ServerLeaseLostException;
import dev.escapement.storage.table.ServerIdentity;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
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

    private final Backend backend;
    private final ServerRows rows;
    private final LongSupplier ticker;
    private volatile ServerIdentity identity = ServerIdentity.UNREGISTERED;
    private volatile Duration leaseDuration = Duration.ZERO;

    /** @param ticker monotonic clock in nanoseconds */
    public ServerRegistry(Backend backend, LongSupplier ticker) {
        this.backend = backend;
        this.ticker = ticker;
        this.rows = new ServerRows(backend.dialect());
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
        Optional<Long> incarnation =
                backend.write(() -> "register server " + id, session -> rows.register(session, id, name, duration));
        incarnation.ifPresent(number -> {
            leaseDuration = duration;
            identity = new ServerIdentity(id, number);
        });
        return incarnation.isPresent();
    }

    /**
     * Renews the lease of this server.
     *
     * @return how long the lease is held, counted from before the query; zero or less if the query took too long
     * @throws ServerLeaseLostException if another server has taken over
     */
    public Duration renewLease() {
        long startNanos = ticker.getAsLong();
        ServerIdentity self = identity;
        boolean renewed = backend.write(
                        () -> "renew the lease of server " + self.id(),
                        session -> rows.renewLease(session, self, leaseDuration))
                .isPresent();
        if (!renewed) {
            throw leaseLost(self);
        }
        return leaseDuration.minusNanos(ticker.getAsLong() - startNanos);
    }

    /** Returns whether another server has taken over from this one, or it was never registered. */
    public boolean isGone(String serverId) {
        return backend.read(() -> "find server " + serverId, session -> rows.isGone(session, serverId));
    }

    /** Lists servers with an expired lease that may own unfinished executions. */
    public List<Server> expiredServers() {
        return backend.read(() -> "list expired leases", session -> rows.expiredServers(session, identity));
    }

    /**
     * Takes over the unfinished executions of a server. From then on it is gone.
     *
     * @return the executions; empty if the lease has not expired
     * @throws ServerLeaseLostException if another server has taken over from this one
     */
    public Optional<List<ExecutionRef>> takeOver(String serverId) {
        ServerIdentity self = identity;
        Optional<List<ExecutionRef>> taken = backend.write(
                () -> "take over from server " + serverId, session -> rows.takeOver(session, serverId, self));
        if (taken.isEmpty()) {
            throwIfLeaseLost(self);
        }
        return taken;
    }

    /** Calls back for each execution of this server without a terminal phase or that still holds its target. */
    public void forEachUnfinished(Consumer<Versioned<Execution>> callback) {
        ServerIdentity self = identity;
        for (ServerRows.UnfinishedKind kind : ServerRows.UnfinishedKind.values()) {
            forEachBatch(
                    () -> "list the unfinished executions of server " + self.id(),
                    (session, after) -> rows.listUnfinished(session, kind, self, after),
                    execution -> execution.value().ref().uid(),
                    callback);
        }
    }

    /** Calls back for each target whose holder was deleted without releasing it. */
    public void forEachOrphanedTarget(Consumer<Target> callback) {
        forEachBatch(() -> "list targets without a holder", rows::listOrphanedTargets, Target::canonical, callback);
    }

    private interface BatchQuery<T> {
        List<T> listAfter(SqlSession session, String key) throws SQLException;
    }

    private <T> void forEachBatch(
            Supplier<String> what, BatchQuery<T> query, Function<T, String> key, Consumer<T> callback) {
        String after = "";
        List<T> batch;
        do {
            String last = after;
            batch = backend.read(what, session -> query.listAfter(session, last));
            batch.forEach(callback);
            after = batch.isEmpty() ? "" : key.apply(batch.get(batch.size() - 1));
        } while (!batch.isEmpty());
    }

    /** Ends the lease of this server, so that others can take over at once. */
    public void releaseLease() {
        ServerIdentity self = identity;
        backend.write(() -> "release the lease of server " + self.id(), session -> rows.releaseLease(session, self));
    }

    public ServerIdentity identity() {
        return identity;
    }

    /**
     * Checks whether a rejected write was rejected because the server has lost its lease; then it must not be retried.
     *
     * @throws ServerLeaseLostException if it has
     */
    public void throwIfLeaseLost(ServerIdentity server) {
        if (!server.id().isEmpty()
                && backend.read(() -> "find server " + server.id(), session -> !rows.isRegistered(session, server))) {
            throw leaseLost(server);
        }
    }

    private static ServerLeaseLostException leaseLost(ServerIdentity server) {
        return new ServerLeaseLostException(
                ("server %s has lost its lease: it expired and another server took over, or a server with the same id"
                                + " was started; stop its runs and restart it")
                        .formatted(server.id()));
    }
}
