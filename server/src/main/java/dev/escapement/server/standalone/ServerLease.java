package dev.escapement.server.standalone;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.FailureLog;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.storage.Database;
import dev.escapement.storage.ServerRegistry.LeaseRenewal;
import dev.escapement.storage.problem.StorageException;
import dev.escapement.storage.problem.StorageException.DatabaseRestoredException;
import dev.escapement.storage.problem.StorageException.ServerLeaseLostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
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

    /** Why this server no longer owns what it accepted. */
    enum LeaseLoss {
        /** Another server has taken over its executions, or was started with its id. */
        TAKEN_OVER,
        /** The database is older than the last renewal, so it may not know the runs of this server. */
        DATABASE_RESTORED
    }

    private record Term(long untilNanos, Instant until) {}

    private final boolean exclusive;
    private final Duration duration;
    private final Supplier<LeaseRenewal> renewal;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Consumer<LeaseLoss> onLost;
    private final FailureLog failureLog = new FailureLog(LOG, "Renewing the lease");
    private volatile Term term;
    private volatile boolean clockDiffers;
    private volatile long firstStartNanos;

    /**
     * Creates a lease that is not held yet.
     *
     * @param exclusive true if no other server can use the database; then runs may start without a lease
     * @param duration of the lease after each renewal
     * @param renewal renews the lease
     * @param ticker monotonic clock in nanoseconds
     * @param onLost called by every renewal after the lease was lost; must not block
     */
    ServerLease(
            boolean exclusive,
            Duration duration,
            Supplier<LeaseRenewal> renewal,
            InstantSource clock,
            LongSupplier ticker,
            Consumer<LeaseLoss> onLost) {
        this.exclusive = exclusive;
        this.duration = duration;
        this.renewal = renewal;
        this.clock = clock;
        this.ticker = ticker;
        this.onLost = onLost;
        this.term = new Term(ticker.getAsLong(), Instant.MIN);
        this.firstStartNanos = ticker.getAsLong();
    }

    /**
     * Registers this server with the id of the data folder, or with a new id if another server has taken over from it.
     *
     * @throws StartException if the server cannot be registered
     */
    static ServerLease acquire(
            Database database, DataFolder data, Settings settings, InstantSource clock, Consumer<LeaseLoss> onLost) {
        Duration duration = settings.get(SettingsTable.LEASE);
        String name = serverName();
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
                onLost);
        lease.renew();
        return lease;
    }

    /** Returns the name of this process among the servers, for messages. */
    static String serverName() {
        return "process " + ProcessHandle.current().pid();
    }

    /**
     * Starts nothing for the duration of a lease. In that time all other servers renew theirs, see too that the
     * database was restored, and record the runs that it does not know.
     */
    void delayStarts() {
        firstStartNanos = ticker.getAsLong() + duration.toNanos();
    }

    /** Renews the lease. Never throws: failures are logged, and the next call retries. */
    void renew() {
        try {
            // The returned time counts from before the query, so a slow answer does not extend the lease.
            LeaseRenewal renewed = renewal.get();
            Instant now = clock.instant();
            checkClock(now, renewed.databaseTime());
            term = new Term(ticker.getAsLong() + renewed.left().toNanos(), now.plus(renewed.left()));
            failureLog.recordSuccess();
        } catch (ServerLeaseLostException takenOver) {
            lose(takenOver, LeaseLoss.TAKEN_OVER);
        } catch (DatabaseRestoredException restored) {
            lose(restored, LeaseLoss.DATABASE_RESTORED);
        } catch (RuntimeException failed) {
            failureLog.recordFailure(failed);
        }
    }

    private void lose(RuntimeException failure, LeaseLoss loss) {
        term = new Term(ticker.getAsLong(), Instant.MIN);
        failureLog.recordFailure(failure);
        onLost.accept(loss);
    }

    /** Cooldowns and backoffs are stored as instants: with a wrong clock they would end too early or too late. */
    private void checkClock(Instant now, Instant databaseTime) {
        Duration difference = Duration.between(databaseTime, now);
        boolean differs = !exclusive && difference.abs().compareTo(LedgerEntry.MAX_CLOCK_SKEW) > 0;
        if (differs && !clockDiffers) {
            LOG.error(
                    "Clock of this machine differs from the clock of the database: difference={} limit={}; starting"
                            + " nothing until the clocks agree",
                    DurationText.format(difference),
                    DurationText.format(LedgerEntry.MAX_CLOCK_SKEW));
        } else if (clockDiffers && !differs) {
            LOG.info("Clock of this machine agrees with the clock of the database again");
        }
        clockDiffers = differs;
    }

    /** Returns why no run may be started now; empty if runs may be started. */
    Optional<String> startProblem() {
        if (mayStart()) {
            return Optional.empty();
        } else if (clockDiffers) {
            return Optional.of("clock differs from the clock of the database by more than "
                    + DurationText.format(LedgerEntry.MAX_CLOCK_SKEW) + ": no run is started");
        } else if (isDelayed()) {
            return Optional.of("the database was restored: no run is started until all servers have checked theirs");
        }
        return Optional.of("could not be renewed in time: no run is started");
    }

    private boolean isDelayed() {
        return firstStartNanos - ticker.getAsLong() > 0;
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
        return exclusive
                || (!clockDiffers
                        && !isDelayed()
                        && isHeldFor(renewalInterval().multipliedBy(3).dividedBy(2)));
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
