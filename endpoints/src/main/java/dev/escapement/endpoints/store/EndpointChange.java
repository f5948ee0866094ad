package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.StoredEndpoint;

/** A change by people. */
public sealed interface EndpointChange {

    /** A new endpoint. */
    record Create(Endpoint endpoint) implements EndpointChange {}

    /**
     * A change of one that was read. A run that is going on goes on, and its result will be planned anew.
     *
     * @param current its version must still be there
     * @param updated with the same id, number and creation
     */
    record Update(StoredEndpoint current, Endpoint updated) implements EndpointChange {}
}
