package dev.escapement.endpoints.schedule;

/** There is an endpoint of that name already. */
public final class EndpointNameTakenException extends RuntimeException {

    EndpointNameTakenException(String name) {
        super(
                "there is an endpoint called %s already: change that one, or choose another name".formatted(name),
                null,
                false,
                false);
    }
}
