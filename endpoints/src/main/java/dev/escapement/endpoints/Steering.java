package dev.escapement.endpoints;

import dev.escapement.governor.plan.Hint;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What people ask of an endpoint for a while.
 *
 * @param pausedUntil nothing runs before; empty if it is not paused
 * @param hints in the order in which they were given
 * @param runRequest the last wish for a run at once, answered or not
 * @param archived nothing runs any more; the history stays
 */
public record Steering(
        Optional<Instant> pausedUntil, List<Hint> hints, Optional<RunRequest> runRequest, boolean archived) {

    /** Nobody asks anything. */
    public static final Steering NONE = new Steering(Optional.empty(), List.of(), Optional.empty(), false);

    /** Keeps its own copy of the list. */
    public Steering {
        hints = List.copyOf(hints);
    }

    /** The same, paused; or no longer. */
    public Steering pausedUntil(Optional<Instant> until) {
        return new Steering(until, hints, runRequest, archived);
    }

    /** The same with these hints. */
    public Steering hints(List<? extends Hint> now) {
        return new Steering(pausedUntil, List.copyOf(now), runRequest, archived);
    }

    /** The same with this wish. */
    public Steering runRequest(RunRequest wish) {
        return new Steering(pausedUntil, hints, Optional.of(wish), archived);
    }

    /** The end. */
    public Steering archive() {
        return new Steering(Optional.empty(), List.of(), Optional.empty(), true);
    }
}
