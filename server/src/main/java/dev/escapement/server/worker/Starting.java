package dev.escapement.server.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether this server may start runs, for all who ask: those who begin an execution, those who let its run go, and
 * those who tell people.
 *
 * @param alone nobody takes over from a server that shares its database with none, so it needs no lease
 * @param margin how much of the lease must be left. What is started takes a moment to begin, and finds its lease over
 *     if that was longer: that costs an attempt
 */
public record Starting(boolean alone, Lease lease, Duration margin) {

    /** Whether something may be started now. */
    public boolean isAllowed() {
        return alone || lease.isHeldFor(margin);
    }

    /**
     * Until when what is started now has to begin: empty if it may take its time, in the past if nothing may be
     * started.
     */
    public Optional<Instant> until() {
        if (alone) {
            return Optional.empty();
        }
        return Optional.of(isAllowed() ? lease.until() : Instant.MIN);
    }
}
