package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.WorkflowRef;
import java.util.Optional;

/** Builds the image reference of a workflow, pinned to its digest if one is given. */
public final class ImageRef {

    private static final String SHA256_PREFIX = "sha256:";

    private ImageRef() {}

    /**
     * Returns the reference; empty if the workflow names no image. A tag stays for readers: with a digest it has no
     * effect.
     */
    public static Optional<String> of(WorkflowRef workflow) {
        String image = workflow.containerImage().strip();
        String digest = digest(workflow);
        if (image.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(digest.isEmpty() ? image : withoutDigest(image) + "@" + digest);
    }

    /** Returns an error message if the image is pinned to another digest than {@code containerDigest}. */
    public static Optional<String> digestConflict(WorkflowRef workflow) {
        String image = workflow.containerImage().strip();
        String pinned = image.substring(withoutDigest(image).length());
        String digest = digest(workflow);
        boolean agree = pinned.isEmpty() || digest.isEmpty() || pinned.equals("@" + digest);
        return agree
                ? Optional.empty()
                : Optional.of(
                        "spec.workflowRef.containerImage is pinned to %s but containerDigest is %s: give only one of them"
                                .formatted(pinned.substring(1), digest));
    }

    private static String digest(WorkflowRef workflow) {
        String digest = workflow.containerDigest().strip();
        return digest.isEmpty() || digest.contains(":") ? digest : SHA256_PREFIX + digest;
    }

    private static String withoutDigest(String image) {
        int at = image.indexOf('@');
        return at < 0 ? image : image.substring(0, at);
    }
}
