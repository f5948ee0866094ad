package dev.escapement.endpoints.schedule;

/** Thrown if an active endpoint already has the name. */
public final class EndpointNameTakenException extends RuntimeException {

    EndpointNameTakenException(String name) {
        super(
                "an endpoint named %s already exists: change that one, or choose another name".formatted(name),
                null,
                false,
                false);
    }
}
