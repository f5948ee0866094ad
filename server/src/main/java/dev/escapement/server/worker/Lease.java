package dev.escapement.server.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * This server's word that it lives. Whoever cannot renew it in time has to assume that others took over: then nothing
 * is started until it could be renewed, or until the server has joined anew.
 *
 * <p>Two clocks watch it: the steady one may stand still while a machine is suspended, the other may be set back.
 */
public final class Lease {

    private record Held(long untilNanos, Instant until) {}

    private final Fleet fleet;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Runnable retired;
    private final Troubles troubles = new Troubles("renewing the lease");
    private volatile Held held;

    /**
     * A lease that is not held yet.
     *
     * @param nanos a steady clock such as {@link System#nanoTime}
     * @param retired called when somebody has taken over, once for every attempt to renew
     */
    public Lease(Fleet fleet, InstantSource clock, LongSupplier nanos, Runnable retired) {
        this.fleet = fleet;
        this.clock = clock;
        this.nanos = nanos;
        this.retired = retired;
        this.held = new Held(nanos.getAsLong(), Instant.MIN);
    }

    /** Renews it. Never throws: what did not work is tried again the next time. */
    public void renew() {
        try {
            // The answer already counts from before the question, whatever time it took.
            Duration left = fleet.renew();
            held = new Held(nanos.getAsLong() + left.toNanos(), clock.instant().plus(left));
            troubles.worked();
        } catch (Fleet.Retired takenOver) {
            held = new Held(nanos.getAsLong(), Instant.MIN);
            troubles.failed(takenOver);
            retired.run();
        } catch (RuntimeException failure) {
            troubles.failed(failure);
        }
    }

    /** Until when nobody can take over; in the past if that is not certain. */
    public Instant until() {
        Held now = held;
        return now.untilNanos() - nanos.getAsLong() > 0 ? now.until() : Instant.MIN;
    }

    /** Whether nobody can have taken over. */
    public boolean isHeld() {
        return isHeldFor(Duration.ZERO);
    }

    /** Whether nobody can take over for so long. */
    public boolean isHeldFor(Duration more) {
        Instant until = until();
        return until.isAfter(Instant.MIN) && clock.instant().isBefore(until.minus(more));
    }
}
