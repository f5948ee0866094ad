package dev.escapement.endpoints.model;

import dev.escapement.governor.plan.Hint;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Temporary changes of an endpoint's schedule that users made.
 *
 * @param pause the last pause, ended or not; empty if the endpoint was resumed
 * @param hints in the order in which they were given
 * @param runRequest the last request to run now, fulfilled or not
 * @param archived whether the endpoint never runs again; its history is kept
 */
public record EndpointOverrides(
        Optional<EndpointPause> pause, List<Hint> hints, Optional<RunNowRequest> runRequest, boolean archived) {

    public static final EndpointOverrides NONE =
            new EndpointOverrides(Optional.empty(), List.of(), Optional.empty(), false);

    public EndpointOverrides {
        hints = List.copyOf(hints);
    }

    /** The end of the pause, past or future; empty without a pause. */
    public Optional<Instant> pausedUntil() {
        return pause.map(EndpointPause::until);
    }

    public boolean isPaused(Instant now) {
        return pausedUntil().filter(until -> until.isAfter(now)).isPresent();
    }

    /** Returns a copy with this pause, or with none. */
    public EndpointOverrides withPause(Optional<EndpointPause> newPause) {
        return new EndpointOverrides(newPause, hints, runRequest, archived);
    }

    /** Returns a copy that is paused until then, or not paused. A pause with that end keeps its author and reason. */
    public EndpointOverrides withPausedUntil(Optional<Instant> until) {
        return until.equals(pausedUntil()) ? this : withPause(until.map(end -> new EndpointPause(end, "", "")));
    }

    public EndpointOverrides withHints(List<? extends Hint> newHints) {
        return new EndpointOverrides(pause, List.copyOf(newHints), runRequest, archived);
    }

    public EndpointOverrides withRunRequest(RunNowRequest request) {
        return new EndpointOverrides(pause, hints, Optional.of(request), archived);
    }

    /** Returns the overrides of an archived endpoint: no pause, no hints, no request. */
    public EndpointOverrides archive() {
        return new EndpointOverrides(Optional.empty(), List.of(), Optional.empty(), true);
    }

    /**
     * A period in which an endpoint does not run.
     *
     * @param until no run starts before; {@link #INDEFINITE_END} if the endpoint is paused until it is resumed
     * @param author who paused it; empty if it was paused by its document
     * @param reason why; empty if none was given
     */
    public record EndpointPause(Instant until, String author, String reason) {

        /** The end of a pause that lasts until the endpoint is resumed. */
        public static final Instant INDEFINITE_END = Instant.parse("9999-12-31T00:00:00Z");

        /** Author and reason as the end of a sentence: {@code , by ada: maintenance}; empty if neither is known. */
        public String describeCause() {
            return (author.isEmpty() ? "" : ", by " + author) + (reason.isEmpty() ? "" : ": " + reason);
        }
    }

    /**
     * A user's request to run now. Fulfilled by the first run whose slot is at or after {@code at}.
     *
     * @param at time of the request
     */
    public record RunNowRequest(Instant at, String author, String reason) {}
}
