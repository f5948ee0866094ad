package dev.escapement.server.standalone;

import dev.escapement.server.FailureLog;
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
public final class ServerLease {

    private record Term(long untilNanos, Instant until) {}

    private final PeerRegistry peers;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Runnable takeoverListener;
    private final FailureLog failureLog = new FailureLog("renewing the lease");
    private volatile Term term;

    /**
     * A lease that is not held yet.
     *
     * @param nanos a steady clock such as {@link System#nanoTime}
     * @param retired called when somebody has taken over, once for every attempt to renew
     */
    public ServerLease(PeerRegistry fleet, InstantSource clock, LongSupplier nanos, Runnable retired) {
        this.peers = fleet;
        this.clock = clock;
        this.ticker = nanos;
        this.takeoverListener = retired;
        this.term = new Term(nanos.getAsLong(), Instant.MIN);
    }

    /** Renews it. Never throws: what did not work is tried again the next time. */
    public void renew() {
        try {
            // The answer already counts from before the question, whatever time it took.
            Duration left = peers.renew();
            term = new Term(ticker.getAsLong() + left.toNanos(), clock.instant().plus(left));
            failureLog.recordSuccess();
        } catch (PeerRegistry.LeaseTakenOverException takenOver) {
            term = new Term(ticker.getAsLong(), Instant.MIN);
            failureLog.recordFailure(takenOver);
            takeoverListener.run();
        } catch (RuntimeException failure) {
            failureLog.recordFailure(failure);
        }
    }

    /** Until when nobody can take over; in the past if that is not certain. */
    public Instant expiresAt() {
        Term now = term;
        return now.untilNanos() - ticker.getAsLong() > 0 ? now.until() : Instant.MIN;
    }

    /** Whether nobody can have taken over. */
    public boolean isHeld() {
        return isHeldFor(Duration.ZERO);
    }

    /** Whether nobody can take over for so long. */
    public boolean isHeldFor(Duration more) {
        Instant until = expiresAt();
        return until.isAfter(Instant.MIN) && clock.instant().isBefore(until.minus(more));
    }
}
