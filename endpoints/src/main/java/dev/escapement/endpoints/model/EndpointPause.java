package dev.escapement.endpoints.model;

import dev.escapement.endpoints.schedule.EndpointService;
import java.time.Instant;

/**
 * Nothing runs for a while, because somebody wants it so.
 *
 * @param until nothing runs before; {@link EndpointService#INDEFINITE_PAUSE_END} for until somebody resumes it
 * @param author who, or empty if that is not known: it came with a file, or with the endpoint itself
 * @param reason why, or empty if nobody said
 */
public record EndpointPause(Instant until, String author, String reason) {

    /** A pause of which only the end is known. */
    public static EndpointPause until(Instant until) {
        return new EndpointPause(until, "", "");
    }

    /** Who and why, as the end of a sentence: {@code , by ada: maintenance}; empty if neither is known. */
    public String describeCause() {
        return (author.isEmpty() ? "" : ", by " + author) + (reason.isEmpty() ? "" : ": " + reason);
    }
}
