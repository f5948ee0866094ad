package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;

/** A change by a user. */
public sealed interface EndpointChange {

    /** Creates an endpoint. */
    record Create(ScheduledEndpoint endpoint) implements EndpointChange {}

    /**
     * Updates an endpoint. A run in progress continues; its result is replanned from the updated endpoint.
     *
     * @param current the endpoint as read; the update fails if its version has changed
     * @param updated has the same id, run number and creation time
     */
    record Update(StoredEndpoint current, ScheduledEndpoint updated) implements EndpointChange {}
}
