package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.EndpointLease;

/**
 * A due endpoint that a worker has claimed.
 *
 * @param revision revision of the endpoint at the claim
 * @param host key of the concurrency limit
 */
public record EndpointClaim(Endpoint endpoint, long revision, String host, EndpointLease lease) {}
