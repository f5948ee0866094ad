package dev.escapement.endpoints.model;

import dev.escapement.engine.document.DocumentFields;
import java.util.Map;

/**
 * How a remediation runs on a cluster, where a workflow is an image. Standalone nobody needs it. The fields are named
 * as in a WorkflowExecution; an empty one was not given.
 *
 * @param containerImage the Tekton bundle, or the image of the Job
 * @param containerDigest pins the image
 * @param engine {@code tekton} or {@code job}
 * @param serviceAccountName as whom it runs
 */
public record ClusterRunOptions(
        String containerImage, String containerDigest, String engine, String serviceAccountName) {

    /** Nothing given. */
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
