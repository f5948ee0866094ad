package dev.escapement.storage;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.problem.ServerRetired;
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
public final class Fleet {

    /**
     * A server that can be taken over from.
     *
     * @param id as it joined
     * @param name for people; empty if nothing is known of it but that it owns executions
     */
    public record Server(String id, String name) {}

    private final Backend backend;
    private final FleetRows rows;
    private final LongSupplier nanoTime;
    private volatile Member me = Member.NOBODY;
    private volatile Duration lease = Duration.ZERO;

    /** @param nanoTime goes on evenly, whatever is done to the clock on the wall */
    Fleet(Backend backend, LongSupplier nanoTime) {
        this.backend = backend;
        this.nanoTime = nanoTime;
        this.rows = new FleetRows(backend.dialect());
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
    public boolean join(String id, String name, Duration duration) {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("a server cannot join without an id");
        }
        Optional<Long> incarnation =
                backend.write(() -> "join as server " + id, session -> rows.join(session, id, name, duration));
        incarnation.ifPresent(number -> {
            lease = duration;
            me = new Member(id, number);
        });
        return incarnation.isPresent();
    }

    /**
     * Prolongs the lease.
     *
     * @return for how long nobody can take over, counted from before the question was asked; zero or less means that
     *     the answer took too long to rely on
     * @throws ServerRetired if somebody has taken over
     */
    public Duration renew() {
        long asked = nanoTime.getAsLong();
        Member member = me;
        boolean prolonged = backend.write(
                        () -> "renew the lease of server " + member.id(), session -> rows.renew(session, member, lease))
                .isPresent();
        if (!prolonged) {
            throw retired(member);
        }
        return lease.minusNanos(nanoTime.getAsLong() - asked);
    }

    /** Whether nobody will ever hear of that server again: another took over from it, or it never joined. */
    public boolean isGone(String serverId) {
        return backend.read(() -> "look for server " + serverId, session -> rows.isGone(session, serverId));
    }

    /** Servers whose lease lapsed and who may own unfinished executions. */
    public List<Server> lapsed() {
        return backend.read(() -> "look for lapsed leases", session -> rows.lapsed(session, me));
    }

    /**
     * Takes over what a server has not finished. From then on it is gone.
     *
     * @return what was taken; empty if its lease has not lapsed after all
     */
    public Optional<List<ExecutionRef>> takeOver(String serverId) {
        Member member = me;
        Optional<List<ExecutionRef>> taken = backend.write(
                () -> "take over from server " + serverId, session -> rows.takeOver(session, serverId, member));
        if (taken.isEmpty()) {
            refuseIfRetired(member);
        }
        return taken;
    }

    /** This server's executions that are not over, or that still hold their target; in parts, so that many fit. */
    public void unfinished(Consumer<Versioned<Execution>> each) {
        Member member = me;
        for (FleetRows.Kind kind : FleetRows.Kind.values()) {
            String after = "";
            List<Versioned<Execution>> part;
            do {
                String from = after;
                part = backend.read(
                        () -> "list the unfinished executions of server " + member.id(),
                        session -> rows.unfinished(session, kind, member, from));
                part.forEach(each);
                after = part.isEmpty()
                        ? ""
                        : part.get(part.size() - 1).value().ref().uid();
            } while (!part.isEmpty());
        }
    }

    /** Targets that are held by executions which no longer exist: whoever deleted those did not get to clean up. */
    public void orphans(Consumer<Target> each) {
        List<Target> part;
        String after = "";
        do {
            String from = after;
            part = backend.read(() -> "list targets without a holder", session -> rows.orphans(session, from));
            part.forEach(each);
            after = part.isEmpty() ? "" : part.get(part.size() - 1).canonical();
        } while (!part.isEmpty());
    }

    /** Ends the lease at once, so that others need not wait for it to lapse. */
    public void leave() {
        Member member = me;
        backend.write(() -> "leave as server " + member.id(), session -> rows.leave(session, member));
    }

    Member member() {
        return me;
    }

    /** A write that failed may have failed because this server is no longer in office; it must not be tried again. */
    void refuseIfRetired(Member member) {
        if (!member.id().isEmpty()
                && backend.read(() -> "look for server " + member.id(), session -> !rows.isInOffice(session, member))) {
            throw retired(member);
        }
    }

    private static ServerRetired retired(Member member) {
        return new ServerRetired(
                ("server %s is no longer in office: its lease lapsed and another server took over, or one"
                                + " with the same id was started; stop what it runs, and start it again")
                        .formatted(member.id()));
    }
}
