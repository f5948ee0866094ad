package dev.escapement.server.standalone;

import dev.escapement.common.FailureLog;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.storage.Database;
import dev.escapement.storage.problem.StorageException;
import dev.escapement.storage.problem.StorageException.ServerLeaseLostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of this server in the {@link dev.escapement.storage.ServerRegistry}. While it is held, no other server
 * takes over. When it cannot be renewed in time, nothing is started until it is renewed or the server restarts with a
 * new id. Thread-safe.
 *
 * <p>The lease is measured with two clocks: the monotonic one may stop while the machine is suspended, and the wall
 * clock may be set back.
 */
final class ServerLease {

    private static final Logger LOG = LoggerFactory.getLogger(ServerLease.class);

    /** Two renewals in a row may fail before the lease expires. */
    private static final int RENEWALS_PER_LEASE = 4;

    private record Term(long untilNanos, Instant until) {}

    private final boolean exclusive;
    private final Duration duration;
    private final Supplier<Duration> renewal;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Runnable onTakeover;
    private final FailureLog failureLog = new FailureLog(LOG, "Renewing the lease");
    private volatile Term term;

    /**
     * Creates a lease that is not held yet.
     *
     * @param exclusive true if no other server can use the database; then runs may start without a lease
     * @param duration of the lease after each renewal
     * @param renewal renews the lease and returns how long it is held
     * @param ticker monotonic clock in nanoseconds
     * @param onTakeover called by every renewal after another server has taken over; must not block
     */
    ServerLease(
            boolean exclusive,
            Duration duration,
            Supplier<Duration> renewal,
            InstantSource clock,
            LongSupplier ticker,
            Runnable onTakeover) {
        this.exclusive = exclusive;
        this.duration = duration;
        this.renewal = renewal;
        this.clock = clock;
        this.ticker = ticker;
        this.onTakeover = onTakeover;
        this.term = new Term(ticker.getAsLong(), Instant.MIN);
    }

    /**
     * Registers this server with the id of the data folder, or with a new id if another server has taken over from it.
     *
     * @throws StartException if the server cannot be registered
     */
    static ServerLease acquire(
            Database database, DataFolder data, Settings settings, InstantSource clock, Runnable onTakeover) {
        Duration duration = settings.get(SettingsTable.LEASE);
        String name = "process " + ProcessHandle.current().pid();
        try {
            if (!database.serverRegistry().register(data.serverId(), name, duration)) {
                LOG.warn("Another server has taken over from server {}; registering with a new id", data.serverId());
                data.renewServerId();
                if (!database.serverRegistry().register(data.serverId(), name, duration)) {
                    throw new StartException(
                            Reason.DATABASE, "server %s cannot register in %s".formatted(data.serverId(), database));
                }
            }
        } catch (StorageException failed) {
            throw new StartException(Reason.DATABASE, String.valueOf(failed.getMessage()), failed);
        }
        ServerLease lease = new ServerLease(
                settings.get(SettingsTable.DATABASE).isEmpty(),
                duration,
                database.serverRegistry()::renewLease,
                clock,
                System::nanoTime,
                onTakeover);
        lease.renew();
        return lease;
    }

    /** Renews the lease. Never throws: failures are logged, and the next call retries. */
    void renew() {
        try {
            // The returned time counts from before the query, so a slow answer does not extend the lease.
            Duration left = renewal.get();
            term = new Term(ticker.getAsLong() + left.toNanos(), clock.instant().plus(left));
            failureLog.recordSuccess();
        } catch (ServerLeaseLostException takenOver) {
            term = new Term(ticker.getAsLong(), Instant.MIN);
            failureLog.recordFailure(takenOver);
            onTakeover.run();
        } catch (RuntimeException failed) {
            failureLog.recordFailure(failed);
        }
    }

    Duration renewalInterval() {
        return duration.dividedBy(RENEWALS_PER_LEASE);
    }

    /** Returns whether no other server can have taken over. */
    boolean isHeld() {
        return isHeldFor(Duration.ZERO);
    }

    /** Returns whether runs may be started now. */
    boolean mayStart() {
        // A run needs a moment to begin; one that begins after the lease has expired costs an attempt. After one failed
        // and one late renewal more than this is left.
        return exclusive || isHeldFor(renewalInterval().multipliedBy(3).dividedBy(2));
    }

    /** Returns the time until which a run started now must begin; empty if unlimited, in the past if none may start. */
    Optional<Instant> startDeadline() {
        return exclusive ? Optional.empty() : Optional.of(mayStart() ? expiresAt() : Instant.MIN);
    }

    private Instant expiresAt() {
        Term current = term;
        return current.untilNanos() - ticker.getAsLong() > 0 ? current.until() : Instant.MIN;
    }

    private boolean isHeldFor(Duration time) {
        Instant until = expiresAt();
        return until.isAfter(Instant.MIN) && clock.instant().isBefore(until.minus(time));
    }
}
