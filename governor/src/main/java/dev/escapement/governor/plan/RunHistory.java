package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What the planner has to know of an endpoint's past. The outcome of a run is counted by making the next history, and
 * only a history can be planned from: planning a run before counting the last one cannot be written down.
 *
 * <p>The origin of the grid is apart from the last slot, because a hint, a pause or a clamp puts a run beside the grid,
 * and the beats after it must not follow it there.
 *
 * @param origin the beats of a healthy interval are counted from here; not a beat itself
 * @param failures how many runs in a row have failed, up to the last
 * @param lastRun empty if there was none
 */
public record RunHistory(Instant origin, int failures, Optional<LastRun> lastRun) {

    /** For what was stored; to go on from there, count outcomes. */
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

    /** Of an endpoint that has never run. */
    public static RunHistory initial(Instant createdAt) {
        return new RunHistory(createdAt, 0, Optional.empty());
    }

    /**
     * With one more run, which succeeded. If it ended a row of failures, the grid starts anew from its slot: a full
     * interval follows, and endpoints that were spread while they failed stay spread.
     *
     * @param slot when the run was planned for, whenever it started
     */
    public RunHistory withSuccess(Instant slot, Instant endedAt) {
        return new RunHistory(isFailing() ? slot : origin, 0, Optional.of(new LastRun(slot, endedAt)));
    }

    /**
     * With one more run, which failed.
     *
     * @param slot when the run was planned for
     * @param endedAt from here the backoff counts
     */
    public RunHistory withFailure(Instant slot, Instant endedAt) {
        return withFailure(slot, endedAt, Optional.empty());
    }

    /**
     * The same, and the other side has asked to be left alone.
     *
     * @param retryAfter for how long, from the end of the run
     */
    public RunHistory withFailure(Instant slot, Instant endedAt, Optional<Duration> retryAfter) {
        int counted = failures == Integer.MAX_VALUE ? failures : failures + 1;
        return new RunHistory(origin, counted, Optional.of(new LastRun(slot, endedAt, retryAfter)));
    }

    /** As if the last run had not failed, because a person says so; the grid goes on. */
    public RunHistory withoutFailures() {
        return new RunHistory(origin, 0, lastRun.map(run -> new LastRun(run.slot(), run.endedAt())));
    }

    /** With the grid of another baseline, which begins at the time of the change. */
    public RunHistory withOrigin(Instant changedAt) {
        return new RunHistory(changedAt, failures, lastRun);
    }

    boolean isFailing() {
        return failures > 0;
    }

    /** Before this instant the other side does not want to be asked again. */
    Optional<Instant> retryNotBefore() {
        return isFailing() ? lastRun.flatMap(LastRun::retryNotBefore) : Optional.empty();
    }

    /** The beats of an interval hint go on from here: who asks for an hour is not served a minute after a run. */
    Instant lastSlot() {
        return lastRun.map(LastRun::slot).orElse(origin);
    }

    /** No slot is run twice, not even if the clock was set back meanwhile. */
    boolean hasRun(Instant slot) {
        return lastRun.filter(run -> run.slot().equals(slot)).isPresent();
    }

    /**
     * Whether a run was what a hint asked for. Without this, a one-shot hint would bring one run after the other until
     * it expired; an interval hint is never answered.
     */
    public boolean hasFulfilled(Hint hint) {
        return hint instanceof OneShotHint once
                && lastRun.filter(run -> !run.slot().isBefore(once.due())).isPresent();
    }
}
