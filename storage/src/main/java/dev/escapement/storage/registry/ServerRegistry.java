package dev.escapement.storage.registry;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.problem.ServerLeaseLostException;
import dev.escapement.storage.table.ServerIdentity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The servers that share a database. The one that accepts an execution carries it on. Each has a lease, timed by the
 * clock of the database; when it lapsed, another takes over, and from that moment the first can neither write what
 * became of an execution nor accept a new one.
 */
public final class ServerRegistry {

    /**
     * A server that can be taken over from.
     *
     * @param id as it joined
     * @param name for people; empty if nothing is known of it but that it owns executions
     */
    public record Server(String id, String name) {}

    private final Backend backend;
    private final ServerRows rows;
    private final LongSupplier ticker;
    private volatile ServerIdentity identity = ServerIdentity.UNREGISTERED;
    private volatile Duration leaseDuration = Duration.ZERO;

    /** @param nanoTime goes on evenly, whatever is done to the clock on the wall */
    public ServerRegistry(Backend backend, LongSupplier nanoTime) {
        this.backend = backend;
        this.ticker = nanoTime;
        this.rows = new ServerRows(backend.dialect());
    }

    /**
     * Joins; what this process accepts from now on is this server's. A server that was killed joins again under its id
     * and finds its executions.
     *
     * @param id kept by the server across restarts; two that run at once must not share it
     * @param name for people
     * @param duration of the lease, from now on and from every renewal
     * @return false if another server took over from this id: then its runs are lost, and it needs a new id
     */
    public boolean register(String id, String name, Duration duration) {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("a server cannot join without an id");
        }
        Optional<Long> incarnation =
                backend.write(() -> "join as server " + id, session -> rows.register(session, id, name, duration));
        incarnation.ifPresent(number -> {
            leaseDuration = duration;
            identity = new ServerIdentity(id, number);
        });
        return incarnation.isPresent();
    }

    /**
     * Prolongs the lease.
     *
     * @return for how long nobody can take over, counted from before the question was asked; zero or less means that
     *     the answer took too long to rely on
     * @throws ServerLeaseLostException if somebody has taken over
     */
    public Duration renewLease() {
        long asked = ticker.getAsLong();
        ServerIdentity member = identity;
        boolean prolonged = backend.write(
                        () -> "renew the lease of server " + member.id(),
                        session -> rows.renewLease(session, member, leaseDuration))
                .isPresent();
        if (!prolonged) {
            throw leaseLost(member);
        }
        return leaseDuration.minusNanos(ticker.getAsLong() - asked);
    }

    /** Whether nobody will ever hear of that server again: another took over from it, or it never joined. */
    public boolean isGone(String serverId) {
        return backend.read(() -> "look for server " + serverId, session -> rows.isGone(session, serverId));
    }

    /** Servers whose lease lapsed and who may own unfinished executions. */
    public List<Server> expiredServers() {
        return backend.read(() -> "look for lapsed leases", session -> rows.expiredServers(session, identity));
    }

    /**
     * Takes over what a server has not finished. From then on it is gone.
     *
     * @return what was taken; empty if its lease has not lapsed after all
     */
    public Optional<List<ExecutionRef>> takeOver(String serverId) {
        ServerIdentity member = identity;
        Optional<List<ExecutionRef>> taken = backend.write(
                () -> "take over from server " + serverId, session -> rows.takeOver(session, serverId, member));
        if (taken.isEmpty()) {
            throwIfLeaseLost(member);
        }
        return taken;
    }

    /** This server's executions that are not over, or that still hold their target; in parts, so that many fit. */
    public void forEachUnfinished(Consumer<Versioned<Execution>> each) {
        ServerIdentity member = identity;
        for (ServerRows.UnfinishedKind kind : ServerRows.UnfinishedKind.values()) {
            String after = "";
            List<Versioned<Execution>> part;
            do {
                String from = after;
                part = backend.read(
                        () -> "list the unfinished executions of server " + member.id(),
                        session -> rows.listUnfinished(session, kind, member, from));
                part.forEach(each);
                after = part.isEmpty()
                        ? ""
                        : part.get(part.size() - 1).value().ref().uid();
            } while (!part.isEmpty());
        }
    }

    /** Targets that are held by executions which no longer exist: whoever deleted those did not get to clean up. */
    public void forEachOrphanedTarget(Consumer<Target> each) {
        List<Target> part;
        String after = "";
        do {
            String from = after;
            part = backend.read(
                    () -> "list targets without a holder", session -> rows.listOrphanedTargets(session, from));
            part.forEach(each);
            after = part.isEmpty() ? "" : part.get(part.size() - 1).canonical();
        } while (!part.isEmpty());
    }

    /** Ends the lease at once, so that others need not wait for it to lapse. */
    public void releaseLease() {
        ServerIdentity member = identity;
        backend.write(() -> "leave as server " + member.id(), session -> rows.releaseLease(session, member));
    }

    public ServerIdentity identity() {
        return identity;
    }

    /** A write that failed may have failed because this server is no longer in office; it must not be tried again. */
    public void throwIfLeaseLost(ServerIdentity member) {
        if (!member.id().isEmpty()
                && backend.read(
                        () -> "look for server " + member.id(), session -> !rows.isRegistered(session, member))) {
            throw leaseLost(member);
        }
    }

    private static ServerLeaseLostException leaseLost(ServerIdentity member) {
        return new ServerLeaseLostException(
                ("server %s is no longer in office: its lease lapsed and another server took over, or one"
                                + " with the same id was started; stop what it runs, and start it again")
                        .formatted(member.id()));
    }
}
