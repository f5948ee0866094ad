package dev.escapement.server.http.system;

import dev.escapement.governor.Policy;
import dev.escapement.server.http.WorkflowLookup;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What the routes about the server itself read.
 *
 * @param policyDocument returns the values of the policy, their origins, since when, and the last rejected change
 * @param metrics returns all metrics in the text format of Prometheus
 */
public record SystemBackend(
        WorkflowLookup workflows,
        Supplier<Policy> policy,
        Supplier<Map<String, Object>> policyDocument,
        HealthChecks health,
        Supplier<String> metrics) {}
