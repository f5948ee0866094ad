package dev.escapement.endpoints;

import java.time.Instant;

/** What was asked for cannot be while the endpoint is paused. */
public final class Paused extends RuntimeException {

    Paused(String name, Instant until) {
        super(
                "endpoint %s is paused %s, and a pause beats everything: resume it first"
                        .formatted(
                                name,
                                until.equals(Endpoints.FOR_GOOD) ? "until somebody resumes it" : "until " + until),
                null,
                false,
                false);
    }
}
