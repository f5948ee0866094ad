package dev.escapement.server.http.system;

import dev.escapement.server.config.PolicySource;
import dev.escapement.server.http.WorkflowLookup;
import java.util.function.Supplier;

/**
 * What the routes about the server itself read.
 *
 * @param metrics returns all metrics in the text format of Prometheus
 */
public record SystemBackend(
        WorkflowLookup workflows, PolicySource policy, HealthChecks health, Supplier<String> metrics) {}
