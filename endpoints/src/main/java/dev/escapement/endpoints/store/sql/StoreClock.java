package dev.escapement.endpoints.store.sql;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The clock of the database, as its last answers told it. An answer is always a little old when it comes, so the latest
 * of what they tell is the best; where this clock is ahead it lets itself be caught up with, slowly, and never goes
 * back, unless the clock of the database was set back.
 */
final class StoreClock implements InstantSource {

    private static final long SET_BACK_MICROS = 1_000_000;
    private static final long SLOWER = 1_000;

    private record Reading(long micros, long nanos) {
        long at(long now) {
            return micros + (now - nanos) / 1_000;
        }
    }

    private final LongSupplier nanos;
    private volatile Reading last;

    /**
     * Knows the time from the first answer on.
     *
     * @param micros that the database told just now
     * @param nanos a clock that only goes on
     */
    StoreClock(long micros, LongSupplier nanos) {
        this.nanos = nanos;
        this.last = new Reading(micros, nanos.getAsLong());
    }

    /** The database has told its time just now. */
    synchronized void told(long micros) {
        long now = nanos.getAsLong();
        long mine = last.at(now);
        long ahead = mine - micros;
        if (ahead <= 0 || ahead > SET_BACK_MICROS) {
            last = new Reading(micros, now);
        } else {
            long passed = Math.max(0, now - last.nanos()) / 1_000;
            last = new Reading(mine - Math.min(ahead, passed / SLOWER), now);
        }
    }

    @Override
    public Instant instant() {
        return Times.instant(last.at(nanos.getAsLong()));
    }
}
