package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.WorkflowRef;
import java.util.Optional;

/** The image of a workflow, pinned to its digest if one is given. */
public final class ImageRef {

    private static final String SHA256_PREFIX = "sha256:";

    private ImageRef() {}

    /**
     * The reference. A tag stays, for people: where there is a digest too, nobody looks the tag up.
     *
     * @return empty if there is none
     */
    public static Optional<String> of(WorkflowRef workflow) {
        String image = workflow.containerImage().strip();
        String digest = digest(workflow);
        if (image.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(digest.isEmpty() ? image : withoutDigest(image) + "@" + digest);
    }

    /** Why the image and its digest cannot be meant together. */
    public static Optional<String> digestConflict(WorkflowRef workflow) {
        String image = workflow.containerImage().strip();
        String pinned = image.substring(withoutDigest(image).length());
        String digest = digest(workflow);
        boolean agree = pinned.isEmpty() || digest.isEmpty() || pinned.equals("@" + digest);
        return agree
                ? Optional.empty()
                : Optional.of(
                        "spec.workflowRef.containerImage is pinned to %s and containerDigest says %s: give one of them"
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
