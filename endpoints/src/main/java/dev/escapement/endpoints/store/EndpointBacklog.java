package dev.escapement.endpoints.store;

/**
 * Number of endpoints by state.
 *
 * @param endpoints all active ones
 * @param waiting due and not claimed
 * @param claimed claimed by a worker of any server
 */
public record EndpointBacklog(long endpoints, long waiting, long claimed) {}
