package dev.escapement.server.http.transport;

/**
 * A file of the jar that needs no token.
 *
 * @param resource its path on the class path
 */
public record Asset(String resource, String contentType) {}
