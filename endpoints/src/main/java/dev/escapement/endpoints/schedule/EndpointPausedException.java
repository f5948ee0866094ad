package dev.escapement.endpoints.schedule;

import dev.escapement.endpoints.model.EndpointPause;

/** What was asked for cannot be while the endpoint is paused. */
public final class EndpointPausedException extends RuntimeException {

    EndpointPausedException(String name, EndpointPause pause) {
        super(
                "endpoint %s is paused %s%s. A pause beats everything: resume it first"
                        .formatted(
                                name,
                                pause.until().equals(EndpointService.INDEFINITE_PAUSE_END)
                                        ? "until somebody resumes it"
                                        : "until " + pause.until(),
                                pause.describeCause()),
                null,
                false,
                false);
    }
}
