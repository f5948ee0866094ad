package dev.escapement.endpoints.store;

/**
 * How much there is to do.
 *
 * @param endpoints not archived
 * @param waiting due, and claimed by nobody
 * @param claimed being run somewhere
 */
public record EndpointBacklog(long endpoints, long waiting, long claimed) {}
