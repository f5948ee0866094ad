package dev.escapement.endpoints.store;

import dev.escapement.endpoints.Endpoint;

/** A change by people. */
public sealed interface Write {

    /** A new endpoint. */
    record Create(Endpoint endpoint) implements Write {}

    /**
     * A change of one that was read. A run that is going on goes on, and its result will be planned anew.
     *
     * @param seen its version must still be there
     * @param next with the same id, number and creation
     */
    record Change(Stored seen, Endpoint next) implements Write {}
}
