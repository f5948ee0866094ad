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

    /**
     * Fields of the WorkflowExecution that a remediation needs on Kubernetes; unused standalone. Each is empty if not
     * given.
     *
     * @param containerImage Tekton bundle or image of the Job
     * @param containerDigest pins the image
     * @param engine {@code tekton} or {@code job}
     */
    public record ClusterRunOptions(
            String containerImage, String containerDigest, String engine, String serviceAccountName) {

        public static final ClusterRunOptions NONE = new ClusterRunOptions("", "", "", "");
    }
}
