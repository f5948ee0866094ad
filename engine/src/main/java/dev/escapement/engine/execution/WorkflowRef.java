package dev.escapement.engine.execution;

/**
 * Identifies a workflow.
 *
 * @param workflowId not blank
 * @param version empty for the version in the catalogue
 * @param containerImage the bundle or image; empty if the workflow comes from a catalogue
 * @param containerDigest empty if the image is not pinned
 */
public record WorkflowRef(String workflowId, String version, String containerImage, String containerDigest) {

    public WorkflowRef {
        if (workflowId.isBlank()) {
            throw new IllegalArgumentException("spec.workflowRef.workflowId is empty: it names the workflow to run");
        }
    }
}
