package dev.escapement.endpoints.model;

import dev.escapement.governor.Target;
import java.util.Map;

/**
 * What to do when an endpoint keeps failing: a workflow on a target, asked for through the same gate as everybody
 * else's requests.
 *
 * @param afterFailures so many failures in a row, at least 1
 * @param namespace of the execution
 * @param workflowId its id
 * @param target what it acts on
 * @param parameters for the workflow
 * @param clusterOptions how it runs on a cluster
 */
public record RemediationPolicy(
        int afterFailures,
        String namespace,
        String workflowId,
        Target target,
        Map<String, String> parameters,
        ClusterRunOptions clusterOptions) {

    /** Keeps its own copy of the parameters. */
    public RemediationPolicy {
        parameters = Map.copyOf(parameters);
    }
}
