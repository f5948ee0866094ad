package dev.escapement.endpoints.model;

import dev.escapement.endpoints.http.CallRequest.Method;
import dev.escapement.governor.plan.Baseline;
import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an endpoint is: whom to call, how, and how often when nothing is wrong. Only {@link EndpointDocumentReader}
 * makes one of what people write, and checks it there.
 *
 * @param name unique among the endpoints that are not archived
 * @param url absolute, http or https
 * @param headers sent with every call
 * @param body empty for none
 * @param timeout over name, connect, headers and body together
 * @param signingKey signs every call, if there is one
 * @param baseline interval or cron
 * @param remediation what to do after failures, if anything
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

    /** Keeps its own copy of the headers, in the order of their names. */
    public EndpointDefinition {
        headers = java.util.Collections.unmodifiableMap(new TreeMap<>(headers));
    }
}
