package dev.escapement.governor.plan;

import java.time.Instant;
import java.util.Optional;

/**
 * What the planner has to know of an endpoint's past. The outcome of a run is counted by making the next history, and
 * only a history can be planned from: planning a run before counting the last one cannot be written down.
 *
 * @param anchor the slot of the last run, or the time of creation if there was none
 * @param failures how many runs in a row have failed, up to the last
 * @param lastEnded when the last run ended; empty if there was none
 */
public record History(Instant anchor, int failures, Optional<Instant> lastEnded) {

    /** For what was stored; to go on from there, count outcomes. */
    public History {
        Limits.instant("anchor", anchor);
        lastEnded.ifPresent(ended -> Limits.instant("end of the last run", ended));
        if (failures < 0) {
            throw new IllegalArgumentException("failures is %d: it must not be negative".formatted(failures));
        }
        if (failures > 0 && lastEnded.isEmpty()) {
            throw new IllegalArgumentException(
                    "failures is %d: it must be 0 as long as no run has ended".formatted(failures));
        }
    }

    /** Of an endpoint that has never run. */
    public static History fresh(Instant createdAt) {
        return new History(createdAt, 0, Optional.empty());
    }

    /**
     * With one more run, which succeeded.
     *
     * @param slot when the run was planned for, whenever it started: the grid goes on from there
     */
    public History succeeded(Instant slot, Instant endedAt) {
        return new History(slot, 0, Optional.of(endedAt));
    }

    /**
     * With one more run, which failed.
     *
     * @param slot when the run was planned for
     * @param endedAt from here the backoff counts
     */
    public History failed(Instant slot, Instant endedAt) {
        int counted = failures == Integer.MAX_VALUE ? failures : failures + 1;
        return new History(slot, counted, Optional.of(endedAt));
    }

    boolean isFailing() {
        return failures > 0;
    }

    /** Without this, a one-shot hint would bring one run after the other until it expired. */
    boolean hasAnswered(OneShotHint hint) {
        return lastEnded.isPresent() && !anchor.isBefore(hint.at());
    }
}
