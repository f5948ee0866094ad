package dev.escapement.engine.execution;

import dev.escapement.api.execution.WorkflowExecutionSpec.RemediationRequestReference;
import dev.escapement.backoff.DurationText;
import dev.escapement.governor.Target;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The specification of an execution. It never changes.
 *
 * @param targetResource as written; not necessarily a valid target
 * @param remediationRequest the request that this execution belongs to
 * @param confidence of the requester, 0 to 1
 * @param rationale why, for people; may be empty
 */
public record ExecutionSpec(
        WorkflowRef workflow,
        String targetResource,
        SortedMap<String, String> parameters,
        Optional<RemediationRequestReference> remediationRequest,
        Optional<Double> confidence,
        String rationale,
        ExecutionConfig config) {

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
                throw new IllegalArgumentException(
                        "spec.workflowRef.workflowId is empty: it names the workflow to run");
            }
        }

        /**
         * Returns the reference of the image, pinned to the digest if one is given; empty if the workflow names no
         * image. A tag stays for readers: with a digest it has no effect.
         */
        public Optional<String> pinnedImage() {
            String image = containerImage.strip();
            if (image.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(digest().isEmpty() ? image : withoutDigest(image) + "@" + digest());
        }

        /** Returns an error message if the image is pinned to another digest than {@code containerDigest}. */
        public Optional<String> digestConflict() {
            String image = containerImage.strip();
            String pinned = image.substring(withoutDigest(image).length());
            return pinned.isEmpty() || digest().isEmpty() || pinned.equals("@" + digest())
                    ? Optional.empty()
                    : Optional.of("spec.workflowRef.containerImage is pinned to " + pinned.substring(1)
                            + " but containerDigest is " + digest() + ": give only one of them");
        }

        private String digest() {
            String digest = containerDigest.strip();
            return digest.isEmpty() || digest.contains(":") ? digest : "sha256:" + digest;
        }

        private static String withoutDigest(String image) {
            int at = image.indexOf('@');
            return at < 0 ? image : image.substring(0, at);
        }
    }

    /**
     * How to run a workflow.
     *
     * @param timeout longer than zero; empty for the executor's default
     * @param serviceAccountName empty for the executor's default
     * @param engine the executor; empty for the default
     */
    public record ExecutionConfig(Optional<Duration> timeout, String serviceAccountName, String engine) {

        public static final ExecutionConfig DEFAULT = new ExecutionConfig(Optional.empty(), "", "");

        public ExecutionConfig {
            timeout.ifPresent(given -> {
                if (given.isZero() || given.isNegative()) {
                    throw new IllegalArgumentException("spec.executionConfig.timeout is " + DurationText.format(given)
                            + ": it must be longer than zero");
                }
            });
        }
    }

    public ExecutionSpec {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
        confidence.ifPresent(value -> {
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException("spec.confidence is " + value + ": it must be from 0 to 1");
            }
        });
    }

    /** Creates a specification with defaults for the rest. */
    public static ExecutionSpec of(String workflowId, String target, Map<String, String> parameters) {
        WorkflowRef workflow = new WorkflowRef(workflowId, "", "", "");
        SortedMap<String, String> sorted = new TreeMap<>(parameters);
        return new ExecutionSpec(
                workflow, target, sorted, Optional.empty(), Optional.empty(), "", ExecutionConfig.DEFAULT);
    }

    /** Returns the target in its canonical form, or as written if it is not valid. */
    public String canonicalTarget() {
        return Target.tryParse(targetResource).map(Target::canonical).orElse(targetResource);
    }

    /** Returns the remediation request as {@code namespace/name}, or as {@code name} if it has no namespace. */
    public Optional<String> remediationId() {
        return remediationRequest.map(request -> Optional.ofNullable(request.namespace())
                .filter(namespace -> !namespace.isEmpty())
                .map(namespace -> namespace + "/" + request.name())
                .orElseGet(() -> String.valueOf(request.name())));
    }
}
