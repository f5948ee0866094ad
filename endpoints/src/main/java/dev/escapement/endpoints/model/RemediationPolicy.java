package dev.escapement.endpoints.model;

import dev.escapement.governor.Target;
import java.util.Map;

/**
 * The workflow to run on a target when an endpoint keeps failing.
 *
 * @param afterFailures number of consecutive failures, at least 1
 * @param namespace namespace of the execution
 */
public record RemediationPolicy(
        int afterFailures,
        String namespace,
        String workflowId,
        Target target,
        Map<String, String> parameters,
        ClusterRunOptions clusterOptions) {

    static final int DEFAULT_AFTER_FAILURES = 3;
    static final String DEFAULT_NAMESPACE = "default";

    public RemediationPolicy {
        parameters = Map.copyOf(parameters);
    }
}
