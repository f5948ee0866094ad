package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The past of an endpoint as far as the planner needs it.
 *
 * <p>The origin of the grid is separate from the last slot, because a hint, a pause or a clamp moves a run off the
 * grid, and later slots must not follow it.
 *
 * @param origin the slots of an interval are counted from here; not a slot itself
 * @param failures the number of failed runs in a row, up to the last run
 * @param lastRun empty if there was none
 */
public record RunHistory(Instant origin, int failures, Optional<LastRun> lastRun) {

    /** Restores a stored history. */
    public RunHistory {
        ScheduleLimits.checkInstant("origin", origin);
        if (failures < 0) {
            throw new IllegalArgumentException("failures is %d: it must not be negative".formatted(failures));
        }
        if (failures > 0 && lastRun.isEmpty()) {
            throw new IllegalArgumentException(
                    "failures is %d: it must be 0 as long as no run has ended".formatted(failures));
        }
    }

    /** Returns the history of an endpoint that has never run. */
    public static RunHistory initial(Instant createdAt) {
        return new RunHistory(createdAt, 0, Optional.empty());
    }

    /**
     * Records a successful run. After failures, the grid starts again from its slot: a full interval follows, and
     * endpoints that jitter has spread stay spread.
     *
     * @param slot the time for which the run was planned
     */
    public RunHistory withSuccess(Instant slot, Instant endedAt) {
        return new RunHistory(isFailing() ? slot : origin, 0, Optional.of(new LastRun(slot, endedAt)));
    }

    /**
     * Records a failed run.
     *
     * @param slot the time for which the run was planned
     * @param endedAt the backoff counts from here
     * @param retryAfter how long after the end of the run the endpoint requested no calls
     */
    public RunHistory withFailure(Instant slot, Instant endedAt, Optional<Duration> retryAfter) {
        int counted = failures == Integer.MAX_VALUE ? failures : failures + 1;
        return new RunHistory(origin, counted, Optional.of(new LastRun(slot, endedAt, retryAfter)));
    }

    /** Resets the failures; the grid stays. */
    public RunHistory withoutFailures() {
        return new RunHistory(origin, 0, lastRun.map(run -> new LastRun(run.slot(), run.endedAt())));
    }

    /**
     * Corrects a last run that lies far in the future, because the clock was set forward when it ran and back since: it
     * counts as just ended. Otherwise hints and requests until then would count as fulfilled.
     *
     * @return this history if nothing lies more than {@code tolerance} in the future
     */
    public RunHistory correctedTo(Instant now, Duration tolerance) {
        Instant latest = now.plus(tolerance);
        boolean ahead = lastRun.filter(
                        run -> run.slot().isAfter(latest) || run.endedAt().isAfter(latest))
                .isPresent();
        Instant justBefore = now.minusMillis(1);
        return !ahead
                ? this
                : new RunHistory(
                        origin.isAfter(latest) ? justBefore : origin,
                        failures,
                        lastRun.map(run -> new LastRun(
                                earlierOf(run.slot(), justBefore),
                                earlierOf(run.endedAt(), justBefore),
                                run.retryAfter())));
    }

    private static Instant earlierOf(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Returns the end of the last run; now if it is in the future, because the clock was set back. */
    Optional<Instant> lastEnd(Instant now) {
        return lastRun.map(run -> earlierOf(run.endedAt(), now));
    }

    /** Starts the grid of another baseline at the time of the change. */
    public RunHistory withOrigin(Instant changedAt) {
        return new RunHistory(changedAt, failures, lastRun);
    }

    boolean isFailing() {
        return failures > 0;
    }

    /** Returns the end of the Retry-After that the endpoint requested, if it is failing. */
    Optional<Instant> retryNotBefore() {
        return isFailing() ? lastRun.flatMap(LastRun::retryNotBefore) : Optional.empty();
    }

    /** The slots of an interval hint count from here: the first run is a full interval after the last one. */
    Instant lastSlot() {
        return lastRun.map(LastRun::slot).orElse(origin);
    }

    /** Returns whether this slot has run: no slot runs twice, even if the clock was set back. */
    boolean hasRun(Instant slot) {
        return lastRun.filter(run -> run.slot().equals(slot)).isPresent();
    }

    /**
     * Returns whether a run has fulfilled a one-shot hint, which must not cause a second one. An interval hint is never
     * fulfilled.
     */
    public boolean hasFulfilled(Hint hint) {
        return hint instanceof Hint.OneShotHint once
                && lastRun.filter(run -> !run.slot().isBefore(once.due())).isPresent();
    }

    /**
     * The last run of an endpoint.
     *
     * @param slot the time for which it was planned
     * @param retryAfter how long after its end the endpoint requested no calls, if it did
     */
    public record LastRun(Instant slot, Instant endedAt, Optional<Duration> retryAfter) {

        public LastRun {
            ScheduleLimits.checkInstant("slot of the last run", slot);
            ScheduleLimits.checkInstant("end of the last run", endedAt);
            retryAfter.ifPresent(wait -> ScheduleLimits.checkRetryAfter("retry-after of the last run", wait));
        }

        public LastRun(Instant slot, Instant endedAt) {
            this(slot, endedAt, Optional.empty());
        }

        Optional<Instant> retryNotBefore() {
            return retryAfter.map(endedAt::plus);
        }
    }
}
