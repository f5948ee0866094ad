package dev.escapement.endpoints.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The endpoint as a caller wants it to be.
 *
 * @param pausedUntil no run before this time; empty for none
 */
public record DesiredEndpoint(EndpointDefinition definition, Optional<Instant> pausedUntil) {}
