package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.EndpointLease;

/**
 * An endpoint that is due and that this worker may run.
 *
 * @param revision what its definition was claimed with
 * @param host what concurrency is limited by
 */
public record EndpointClaim(Endpoint endpoint, long revision, String host, EndpointLease lease) {}
