package dev.escapement.endpoints.model;

import java.time.Instant;

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

    /** Returns a pause without author and reason. */
    public static EndpointPause endingAt(Instant until) {
        return new EndpointPause(until, "", "");
    }

    /** Author and reason as the end of a sentence: {@code , by ada: maintenance}; empty if neither is known. */
    public String describeCause() {
        return (author.isEmpty() ? "" : ", by " + author) + (reason.isEmpty() ? "" : ": " + reason);
    }
}
