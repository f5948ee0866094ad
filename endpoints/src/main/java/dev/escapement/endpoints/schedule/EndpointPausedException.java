package dev.escapement.endpoints.schedule;

import dev.escapement.endpoints.model.EndpointPause;

/** Thrown if an operation is not possible while the endpoint is paused. */
public final class EndpointPausedException extends RuntimeException {

    EndpointPausedException(String name, EndpointPause pause) {
        super(
                "endpoint %s is paused %s%s. To run it, resume it first"
                        .formatted(
                                name,
                                pause.until().equals(EndpointPause.INDEFINITE_END)
                                        ? "until it is resumed"
                                        : "until " + pause.until(),
                                pause.describeCause()),
                null,
                false,
                false);
    }
}
