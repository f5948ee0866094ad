package dev.escapement.endpoints;

/** There is an endpoint of that name already. */
public final class NameTaken extends RuntimeException {

    NameTaken(String name) {
        super(
                "there is an endpoint called %s already: change that one, or choose another name".formatted(name),
                null,
                false,
                false);
    }
}
