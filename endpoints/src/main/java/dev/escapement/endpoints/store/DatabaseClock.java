package dev.escapement.endpoints.store;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Estimates the clock of the database from the times in its responses. A time in a response is at most as old as the
 * query took, so a slow response gives a wide range of possible times; within that range the estimate continues with
 * the local ticker. If the estimate is ahead of the range it slows down instead of going back, except if it is more
 * than a second ahead: then the database's clock was set back, and the estimate follows.
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
    private volatile int setBackCount;

    /**
     * @param micros current time of the database, in microseconds since the epoch
     * @param ticker monotonic time in nanoseconds
     */
    DatabaseClock(long micros, LongSupplier ticker) {
        this.ticker = ticker;
        this.last = new Reading(micros, ticker.getAsLong());
    }

    /** Returns the ticker's value to pass to {@link #update}; call it before the query. */
    long startRequest() {
        return ticker.getAsLong();
    }

    /**
     * Updates the estimate.
     *
     * @param startNanos value of {@link #startRequest} before the query
     * @param micros time of the database in the response
     */
    synchronized void update(long startNanos, long micros) {
        long now = ticker.getAsLong();
        long latest = micros + Math.max(0, now - startNanos) / 1_000;
        long estimate = last.microsAt(now);
        long aheadMicros = estimate - latest;
        if (estimate <= micros) {
            last = new Reading(micros, now);
        } else if (aheadMicros > RESET_THRESHOLD_MICROS) {
            last = new Reading(latest, now);
            setBackCount++;
        } else if (aheadMicros > 0) {
            long elapsedMicros = Math.max(0, now - last.nanos()) / 1_000;
            last = new Reading(estimate - Math.min(aheadMicros, elapsedMicros / SLEW_DIVISOR), now);
        }
    }

    /** How often the database's clock was found set back by more than a second. */
    int setBackCount() {
        return setBackCount;
    }

    @Override
    public Instant instant() {
        return TimeColumns.toInstant(last.microsAt(ticker.getAsLong()));
    }
}
