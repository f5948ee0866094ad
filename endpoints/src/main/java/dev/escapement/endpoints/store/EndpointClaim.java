package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint.EndpointLease;

/**
 * A due endpoint that a worker has claimed.
 *
 * @param revision revision of the endpoint at the claim
 * @param host key of the concurrency limit
 */
public record EndpointClaim(ScheduledEndpoint endpoint, long revision, String host, EndpointLease lease) {}
