package dev.escapement.endpoints.model;

import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.governor.plan.Baseline;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What to call, how, and how often. {@link EndpointRequestMapper} creates it from a request and validates it.
 *
 * @param name unique among active endpoints
 * @param baseline interval or cron
 */
public record EndpointDefinition(
        String name,
        String description,
        CallRequest call,
        Baseline baseline,
        Optional<Duration> minInterval,
        Optional<Duration> maxInterval,
        Optional<RemediationPolicy> remediation) {

    /**
     * The endpoint as a caller wants it to be.
     *
     * @param pausedUntil no run before this time; empty for none
     */
    public record DesiredEndpoint(EndpointDefinition definition, Optional<Instant> pausedUntil) {}
}
