package dev.escapement.endpoints.model;

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
