package dev.escapement.endpoints.model;

import java.util.Map;

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

    static final String[] FIELDS = {"containerImage", "containerDigest", "engine", "serviceAccountName"};

    static ClusterRunOptions read(DocumentFields remediation) {
        return new ClusterRunOptions(
                remediation.text("containerImage"),
                remediation.text("containerDigest"),
                remediation.text("engine"),
                remediation.text("serviceAccountName"));
    }

    void writeTo(Map<String, Object> remediation) {
        putIfPresent(remediation, "containerImage", containerImage);
        putIfPresent(remediation, "containerDigest", containerDigest);
        putIfPresent(remediation, "engine", engine);
        putIfPresent(remediation, "serviceAccountName", serviceAccountName);
    }

    private static void putIfPresent(Map<String, Object> remediation, String key, String text) {
        if (!text.isEmpty()) {
            remediation.put(key, text);
        }
    }
}
