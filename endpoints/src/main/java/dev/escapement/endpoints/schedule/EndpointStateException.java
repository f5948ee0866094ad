package dev.escapement.endpoints.schedule;

import dev.escapement.backoff.DurationText;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;

/** Thrown if the present state of an endpoint does not allow an operation; later it may succeed. */
public final class EndpointStateException extends RuntimeException {

    private EndpointStateException(String message) {
        super(message, null, false, false);
    }

    static EndpointStateException paused(String name, EndpointPause pause) {
        String end =
                pause.until().equals(EndpointPause.INDEFINITE_END) ? "until it is resumed" : "until " + pause.until();
        return new EndpointStateException(
                "endpoint %s is paused %s%s. To run it, resume it first".formatted(name, end, pause.describeCause()));
    }

    static EndpointStateException requestedTooOften(String name) {
        return new EndpointStateException("a run of endpoint %s was requested less than %s ago: wait, then try again"
                .formatted(name, DurationText.format(EndpointService.MIN_RUN_REQUEST_INTERVAL)));
    }

    static EndpointStateException tooManyHints(String name, int max) {
        return new EndpointStateException(
                "endpoint %s has %d hints already: remove them, or wait until one expires".formatted(name, max));
    }
}
