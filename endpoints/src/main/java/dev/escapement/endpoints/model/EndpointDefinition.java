package dev.escapement.endpoints.model;

import dev.escapement.endpoints.http.CallRequest.Method;
import dev.escapement.governor.plan.Baseline;
import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What to call, how, and how often. {@link EndpointRequestMapper} creates it from a request and validates it.
 *
 * @param name unique among active endpoints
 * @param url absolute, http or https
 * @param body empty for none
 * @param timeout for DNS lookup, connect, request and response together
 * @param signingKey signs every call; empty for none
 * @param baseline interval or cron
 */
public record EndpointDefinition(
        String name,
        String description,
        String url,
        Method method,
        Map<String, String> headers,
        String body,
        Duration timeout,
        Optional<SecretText> signingKey,
        Baseline baseline,
        Optional<Duration> minInterval,
        Optional<Duration> maxInterval,
        Optional<RemediationPolicy> remediation) {

    /** Copies the headers, sorted by name. */
    public EndpointDefinition {
        headers = Collections.unmodifiableMap(new TreeMap<>(headers));
    }

    /**
     * The endpoint as a caller wants it to be.
     *
     * @param pausedUntil no run before this time; empty for none
     */
    public record DesiredEndpoint(EndpointDefinition definition, Optional<Instant> pausedUntil) {}
}
