package dev.escapement.endpoints;

import dev.escapement.governor.Target;
import java.util.Map;

/**
 * What to do when an endpoint keeps failing: a workflow on a target, asked for through the same gate as everybody
 * else's requests.
 *
 * @param after so many failures in a row, at least 1
 * @param namespace of the execution
 * @param workflow its id
 * @param target what it acts on
 * @param parameters for the workflow
 * @param cluster how it runs on a cluster
 */
public record Remediation(
        int after,
        String namespace,
        String workflow,
        Target target,
        Map<String, String> parameters,
        ClusterRun cluster) {

    /** Keeps its own copy of the parameters. */
    public Remediation {
        parameters = Map.copyOf(parameters);
    }
}
