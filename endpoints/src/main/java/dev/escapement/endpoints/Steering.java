package dev.escapement.endpoints;

import dev.escapement.governor.plan.Hint;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What people ask of an endpoint for a while.
 *
 * @param pause the last one, over or not; empty if it was taken back
 * @param hints in the order in which they were given
 * @param runRequest the last wish for a run at once, answered or not
 * @param archived nothing runs any more; the history stays
 */
public record Steering(Optional<Pause> pause, List<Hint> hints, Optional<RunRequest> runRequest, boolean archived) {

    /** Nobody asks anything. */
    public static final Steering NONE = new Steering(Optional.empty(), List.of(), Optional.empty(), false);

    /** Keeps its own copy of the list. */
    public Steering {
        hints = List.copyOf(hints);
    }

    /** Nothing runs before; empty if it is not paused. */
    public Optional<Instant> pausedUntil() {
        return pause.map(Pause::until);
    }

    /** The same, paused; or no longer. */
    public Steering pause(Optional<Pause> now) {
        return new Steering(now, hints, runRequest, archived);
    }

    /** The same, paused until then; or no longer. Whose pause it is and why stays if it is the one that is there. */
    public Steering pausedUntil(Optional<Instant> until) {
        return until.equals(pausedUntil()) ? this : pause(until.map(Pause::until));
    }

    /** The same with these hints. */
    public Steering hints(List<? extends Hint> now) {
        return new Steering(pause, List.copyOf(now), runRequest, archived);
    }

    /** The same with this wish. */
    public Steering runRequest(RunRequest wish) {
        return new Steering(pause, hints, Optional.of(wish), archived);
    }

    /** The end. */
    public Steering archive() {
        return new Steering(Optional.empty(), List.of(), Optional.empty(), true);
    }
}
