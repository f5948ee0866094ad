package dev.escapement.server.standalone;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether this server may start runs, for all who ask: those who begin an execution, those who let its run go, and
 * those who tell people.
 *
 * @param ownsDatabase nobody takes over from a server that shares its database with none, so it needs no lease
 * @param minRemaining how much of the lease must be left. What is started takes a moment to begin, and finds its lease
 *     over if that was longer: that costs an attempt
 */
public record StartPermit(boolean ownsDatabase, ServerLease lease, Duration minRemaining) {

    /** Whether something may be started now. */
    public boolean isAllowed() {
        return ownsDatabase || lease.isHeldFor(minRemaining);
    }

    /**
     * Until when what is started now has to begin: empty if it may take its time, in the past if nothing may be
     * started.
     */
    public Optional<Instant> startDeadline() {
        if (ownsDatabase) {
            return Optional.empty();
        }
        return Optional.of(isAllowed() ? lease.expiresAt() : Instant.MIN);
    }
}
