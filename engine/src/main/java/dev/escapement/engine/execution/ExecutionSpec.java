package dev.escapement.engine.execution;

import dev.escapement.api.execution.WorkflowExecutionSpec.RemediationRequestReference;
import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import dev.escapement.governor.Target;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The specification of an execution. It never changes.
 *
 * @param targetResource as written; not necessarily a valid target
 * @param remediationRequest the request that this execution belongs to
 * @param confidence of the requester, 0 to 1
 * @param rationale why, for people; may be empty
 * @param conflict what to do if the gate does not admit it now
 */
public record ExecutionSpec(
        WorkflowRef workflow,
        String targetResource,
        SortedMap<String, String> parameters,
        Optional<RemediationRequestReference> remediationRequest,
        Optional<Double> confidence,
        String rationale,
        ExecutionConfig config,
        ConflictSettings conflict) {

    /**
     * Identifies a workflow.
     *
     * @param workflowId not blank
     * @param version empty for the version in the catalogue
     * @param containerImage the bundle or image; empty if the workflow comes from a catalogue
     * @param containerDigest empty if the image is not pinned
     */
    public record WorkflowRef(String workflowId, String version, String containerImage, String containerDigest) {

        private static final int MAX_IMAGE_LENGTH = 4_096;
        private static final int MAX_IMAGE_QUOTE_LENGTH = 300;

        /** Host and port, path, tag and digest, as registries define them. */
        private static final Pattern IMAGE = Pattern.compile(
                "((([A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?\\.)*[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?|\\[[0-9a-fA-F:]+])"
                        + "(:[0-9]{1,5})?/)?[a-z0-9]+((\\.|_{1,2}|-+)[a-z0-9]+)*(/[a-z0-9]+((\\.|_{1,2}|-+)[a-z0-9]+)*)*"
                        + "(:[A-Za-z0-9_][-.A-Za-z0-9_]{0,127})?(@[A-Za-z][A-Za-z0-9]*:[0-9a-fA-F]+)?");

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

        /** Returns an error message if the image is not a reference that a registry could know. */
        public Optional<String> imageProblem() {
            return pinnedImage()
                    .filter(image -> image.length() > MAX_IMAGE_LENGTH
                            || !IMAGE.matcher(image).matches())
                    .map(image -> "spec.workflowRef.containerImage is %s: it must be an image reference, such as"
                                    .formatted(SafeText.quote(image, MAX_IMAGE_QUOTE_LENGTH))
                            + " registry.example/team/workflow:1.0");
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
     * @param timeoutText the timeout as written; empty if there is none
     */
    public record ExecutionConfig(
            Optional<Duration> timeout, String serviceAccountName, String engine, String timeoutText) {

        public static final ExecutionConfig DEFAULT = new ExecutionConfig(Optional.empty(), "", "");

        public ExecutionConfig(Optional<Duration> timeout, String serviceAccountName, String engine) {
            this(
                    timeout,
                    serviceAccountName,
                    engine,
                    timeout.map(DurationText::format).orElse(""));
        }

        /** The same timeout in other words is the same: a document that is applied again is unchanged. */
        @Override
        public boolean equals(Object other) {
            return other instanceof ExecutionConfig config
                    && timeout.equals(config.timeout)
                    && serviceAccountName.equals(config.serviceAccountName)
                    && engine.equals(config.engine);
        }

        @Override
        public int hashCode() {
            return Objects.hash(timeout, serviceAccountName, engine);
        }

        public ExecutionConfig {
            timeout.ifPresent(given -> {
                if (given.isZero() || given.isNegative()) {
                    throw new IllegalArgumentException("spec.executionConfig.timeout is " + DurationText.format(given)
                            + ": it must be longer than zero");
                }
            });
        }
    }

    /** What to do if the gate does not admit an execution now. */
    public enum OnConflict {
        /** Skip it at once: the default. */
        Skip,
        /** Let it wait for what ends by itself. */
        Wait
    }

    /**
     * Whether and how long an execution waits.
     *
     * @param onConflict empty for the default
     * @param waitFor longer than zero, at most {@link #MAX_WAIT}; empty for the default; only with {@code Wait}
     * @param waitForText the same as it was written; empty for the default
     */
    public record ConflictSettings(Optional<OnConflict> onConflict, Optional<Duration> waitFor, String waitForText) {

        public static final ConflictSettings DEFAULT = new ConflictSettings(Optional.empty(), Optional.empty());

        public static final Duration MAX_WAIT = Duration.ofHours(24);

        private static final Duration DEFAULT_WAIT = Duration.ofMinutes(10);

        public ConflictSettings(Optional<OnConflict> onConflict, Optional<Duration> waitFor) {
            this(onConflict, waitFor, waitFor.map(DurationText::format).orElse(""));
        }

        public ConflictSettings {
            findProblem(onConflict, waitFor).ifPresent(problem -> {
                throw new IllegalArgumentException("spec.waitFor " + problem);
            });
        }

        /** Returns what is wrong with a time to wait, as the end of a sentence about it. */
        public static Optional<String> findProblem(Optional<OnConflict> onConflict, Optional<Duration> waitFor) {
            if (waitFor.isEmpty()) {
                return Optional.empty();
            } else if (onConflict.filter(OnConflict.Wait::equals).isEmpty()) {
                return Optional.of("has an effect only with onConflict Wait: set onConflict to Wait, or leave it out");
            }
            Duration given = waitFor.get();
            if (given.isZero() || given.isNegative()) {
                return Optional.of("is " + DurationText.format(given) + ": it must be longer than zero");
            }
            return given.compareTo(MAX_WAIT) > 0
                    ? Optional.of("is " + DurationText.format(given) + ": it must be at most 24h")
                    : Optional.empty();
        }

        /** Returns how long the execution may wait; empty if it does not wait. */
        public Optional<Duration> waitLimit() {
            return onConflict.filter(OnConflict.Wait::equals).map(wait -> waitFor.orElse(DEFAULT_WAIT));
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

    /** Creates a specification of an execution that does not wait. */
    public ExecutionSpec(
            WorkflowRef workflow,
            String targetResource,
            SortedMap<String, String> parameters,
            Optional<RemediationRequestReference> remediationRequest,
            Optional<Double> confidence,
            String rationale,
            ExecutionConfig config) {
        this(
                workflow,
                targetResource,
                parameters,
                remediationRequest,
                confidence,
                rationale,
                config,
                ConflictSettings.DEFAULT);
    }

    /** Returns this specification with other settings for a conflict. */
    public ExecutionSpec withConflict(ConflictSettings changed) {
        return new ExecutionSpec(
                workflow, targetResource, parameters, remediationRequest, confidence, rationale, config, changed);
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
