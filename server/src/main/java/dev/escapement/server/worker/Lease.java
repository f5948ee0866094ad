package dev.escapement.server.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server's word that it lives. Whoever cannot renew it in time has to assume that others took over: then nothing
 * is started until the server has joined anew.
 *
 * <p>The time is measured from before the renewal was asked for, by two clocks: the steady one may stand still while a
 * machine is suspended, the other may be set back. The last quarter of a lease is not used, so that what was allowed
 * has happened before others act.
 */
public final class Lease {

    private static final Logger LOG = LoggerFactory.getLogger(Lease.class);

    private record Held(long untilNanos, Instant until) {}

    private final Fleet fleet;
    private final Duration lease;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Runnable joinedAnew;
    private final Troubles troubles = new Troubles("renewing the lease");
    private volatile Held held = new Held(0, Instant.MIN);

    /**
     * A lease that is not held yet.
     *
     * @param nanos a steady clock such as {@link System#nanoTime}
     * @param joinedAnew called after a lapsed lease was taken up again: what was this server's own must be looked at
     */
    public Lease(Fleet fleet, Duration lease, InstantSource clock, LongSupplier nanos, Runnable joinedAnew) {
        this.fleet = fleet;
        this.lease = lease;
        this.clock = clock;
        this.nanos = nanos;
        this.joinedAnew = joinedAnew;
    }

    /** Takes the lease, when the server starts. */
    public void join() {
        long before = nanos.getAsLong();
        Instant beforeOnTheWall = clock.instant();
        fleet.join(lease);
        hold(before, beforeOnTheWall);
    }

    /** Renews it, or joins anew if it had lapsed. Never throws: what did not work is tried again the next time. */
    public void renew() {
        long before = nanos.getAsLong();
        Instant beforeOnTheWall = clock.instant();
        try {
            if (fleet.renew(lease)) {
                hold(before, beforeOnTheWall);
            } else {
                LOG.warn("the lease had lapsed: other servers may have taken over; joining anew");
                join();
                joinedAnew.run();
            }
            troubles.worked();
        } catch (RuntimeException failure) {
            troubles.failed(failure);
        }
    }

    private void hold(long sinceNanos, Instant since) {
        Duration usable = lease.multipliedBy(3).dividedBy(4);
        held = new Held(sinceNanos + usable.toNanos(), since.plus(usable));
    }

    /** Whether this server may start runs. */
    public boolean isHeld() {
        Held now = held;
        return now.untilNanos() - nanos.getAsLong() > 0 && clock.instant().isBefore(now.until());
    }

    /** How often to renew: often enough that two failures in a row do no harm. */
    public Duration rhythm() {
        return lease.dividedBy(4);
    }
}
