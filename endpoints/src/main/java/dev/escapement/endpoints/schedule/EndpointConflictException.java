package dev.escapement.endpoints.schedule;

/** Somebody else was there in between. Nothing was changed, and the next try may well succeed. */
public final class EndpointConflictException extends RuntimeException {

    EndpointConflictException(String what) {
        super(what + ", and nothing was changed: try again", null, false, false);
    }
}
