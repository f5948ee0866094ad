package dev.escapement.endpoints;

/** What was asked for cannot be while the endpoint is paused. */
public final class Paused extends RuntimeException {

    Paused(String name, Pause pause) {
        super(
                "endpoint %s is paused %s%s. A pause beats everything: resume it first"
                        .formatted(
                                name,
                                pause.until().equals(Endpoints.FOR_GOOD)
                                        ? "until somebody resumes it"
                                        : "until " + pause.until(),
                                pause.because()),
                null,
                false,
                false);
    }
}
