package dev.escapement.endpoints.model;

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
public record EndpointOverrides(
        Optional<EndpointPause> pause, List<Hint> hints, Optional<RunNowRequest> runRequest, boolean archived) {

    /** Nobody asks anything. */
    public static final EndpointOverrides NONE =
            new EndpointOverrides(Optional.empty(), List.of(), Optional.empty(), false);

    /** Keeps its own copy of the list. */
    public EndpointOverrides {
        hints = List.copyOf(hints);
    }

    /** Nothing runs before; empty if it is not paused. */
    public Optional<Instant> pausedUntil() {
        return pause.map(EndpointPause::until);
    }

    /** The same, paused; or no longer. */
    public EndpointOverrides pause(Optional<EndpointPause> now) {
        return new EndpointOverrides(now, hints, runRequest, archived);
    }

    /** The same, paused until then; or no longer. Whose pause it is and why stays if it is the one that is there. */
    public EndpointOverrides pausedUntil(Optional<Instant> until) {
        return until.equals(pausedUntil()) ? this : pause(until.map(EndpointPause::until));
    }

    /** The same with these hints. */
    public EndpointOverrides hints(List<? extends Hint> now) {
        return new EndpointOverrides(pause, List.copyOf(now), runRequest, archived);
    }

    /** The same with this wish. */
    public EndpointOverrides runRequest(RunNowRequest wish) {
        return new EndpointOverrides(pause, hints, Optional.of(wish), archived);
    }

    /** The end. */
    public EndpointOverrides archive() {
        return new EndpointOverrides(Optional.empty(), List.of(), Optional.empty(), true);
    }
}
