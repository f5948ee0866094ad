package dev.escapement.engine.execution;

import static java.util.Objects.requireNonNull;

/**
 * Which workflow.
 *
 * @param workflowId its id, not empty
 * @param version empty for whatever the catalogue has
 * @param containerImage the bundle or image; empty where workflows come from a catalogue
 * @param containerDigest pins the image; empty if it is not pinned
 */
public record WorkflowRef(String workflowId, String version, String containerImage, String containerDigest) {

    /** None of them is null. */
    public WorkflowRef {
        requireNonNull(version, "version is null");
        requireNonNull(containerImage, "containerImage is null");
        requireNonNull(containerDigest, "containerDigest is null");
        if (workflowId.isBlank()) {
            throw new IllegalArgumentException("spec.workflowRef.workflowId is empty: it names the workflow to run");
        }
    }

    /** A workflow of the catalogue, whatever its version. */
    public static WorkflowRef of(String workflowId) {
        return new WorkflowRef(workflowId, "", "", "");
    }
}
