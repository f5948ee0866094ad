package dev.escapement.endpoints.store.sql;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The clock of the database, as its last answers told it. When an answer comes, the time that it tells is as old as the
 * way back took, which is at most the time since the question: an answer that was long on its way, to a process that
 * stood still for instance, says little, and this clock goes on by itself. Where it is ahead of what can be it lets
 * itself be caught up with, slowly, and never goes back, unless the clock of the database was set back.
 */
final class DatabaseClock implements InstantSource {

    private static final long RESET_THRESHOLD_MICROS = 1_000_000;
    private static final long SLEW_DIVISOR = 1_000;

    private record Reading(long micros, long nanos) {
        long microsAt(long now) {
            return micros + (now - nanos) / 1_000;
        }
    }

    private final LongSupplier ticker;
    private volatile Reading last;

    /**
     * Knows the time from the first answer on.
     *
     * @param micros that the database told just now
     * @param nanos a clock that only goes on
     */
    DatabaseClock(long micros, LongSupplier nanos) {
        this.ticker = nanos;
        this.last = new Reading(micros, nanos.getAsLong());
    }

    /** To be taken before the database is asked for its time. */
    long startRequest() {
        return ticker.getAsLong();
    }

    /**
     * The database has told its time.
     *
     * @param asked when it was asked for it: it is now that time or later, by as much as has passed since at most
     */
    synchronized void update(long asked, long micros) {
        long now = ticker.getAsLong();
        long latest = micros + Math.max(0, now - asked) / 1_000;
        long mine = last.microsAt(now);
        long ahead = mine - latest;
        if (mine <= micros) {
            last = new Reading(micros, now);
        } else if (ahead > RESET_THRESHOLD_MICROS) {
            last = new Reading(latest, now);
        } else if (ahead > 0) {
            long passed = Math.max(0, now - last.nanos()) / 1_000;
            last = new Reading(mine - Math.min(ahead, passed / SLEW_DIVISOR), now);
        }
    }

    @Override
    public Instant instant() {
        return TimeColumns.toInstant(last.microsAt(ticker.getAsLong()));
    }
}
