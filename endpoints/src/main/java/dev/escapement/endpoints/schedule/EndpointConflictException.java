package dev.escapement.endpoints.schedule;

/** Thrown if a concurrent change prevented an update. Nothing was changed; a retry may succeed. */
public final class EndpointConflictException extends RuntimeException {

    EndpointConflictException(String reason) {
        super(reason + "; nothing was changed: try again", null, false, false);
    }
}
