package dev.escapement.kubernetes.run;

import dev.escapement.common.Digests;
import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.run.ExecutorAdapter.JsonPatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;

/**
 * The name, labels and annotations of a run. The names of executions and targets can have 253 characters, so they are
 * annotations: a label holds 63. There is no owner reference, because a run is in another namespace than its execution
 * and the garbage collector deletes objects with an owner in another namespace.
 */
public final class RunLabels {

    // Labels. That of the target has its object name.
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String ESCAPEMENT = "escapement";
    public static final String EXECUTION_UID = "kubernaut.ai/execution-uid";
    public static final String TARGET = "kubernaut.ai/target";

    // Annotations. That of the target has it as it was written.
    public static final String EXECUTION_NAMESPACE = "kubernaut.ai/execution-namespace";
    public static final String EXECUTION_NAME = "kubernaut.ai/execution-name";
    public static final String TARGET_RESOURCE = "kubernaut.ai/target-resource";
    public static final String WORKFLOW_ID = "kubernaut.ai/workflow-id";

    /** The annotation, written at the start, with the epoch of the ledger entry under which the run was admitted. */
    public static final String EPOCH = "kubernaut.ai/epoch";

    /** The annotation with a digest of the spec of a run as it was requested. */
    public static final String SPEC_DIGEST = "kubernaut.ai/spec-digest";

    /** The annotation with the actor that stopped the run. */
    public static final String CANCELLED_BY = "kubernaut.ai/cancelled-by";

    /** The annotation, written at the start, with the time of the start. */
    static final String STARTED_AT = "kubernaut.ai/started-at";

    /** The annotation with the time at which the run was first requested to stop. */
    static final String STOP_REQUESTED_AT = "kubernaut.ai/stop-requested-at";

    /** The annotation of a run that was stopped because it was past its timeout. */
    private static final String EXPIRED = "kubernaut.ai/expired";

    /** The annotation of a run that was withdrawn before anything of it ran: see {@link WithdrawnRun}. */
    public static final String WITHDRAWN = "kubernaut.ai/withdrawn";

    private static final int HASH_BYTES = 5;

    private RunLabels() {}

    /** Returns the name of the run of an execution; each execution has at most one run. */
    private static String runName(String targetObjectName, String executionUid) {
        return targetObjectName + "-" + Digests.sha256Hex(executionUid, HASH_BYTES);
    }

    /** Returns whether a run has the name that its labels require: a copy of a run keeps the labels only. */
    static boolean hasDerivedName(HasMetadata run) {
        var meta = run.getMetadata();
        Map<String, String> labels = Optional.ofNullable(meta.getLabels()).orElse(Map.of());
        return runName(labels.getOrDefault(TARGET, ""), labels.getOrDefault(EXECUTION_UID, ""))
                .equals(meta.getName());
    }

    /** Returns the execution that a run names; empty if it names none. */
    public static Optional<ExecutionRef> executionRef(HasMetadata run) {
        String uid = executionUid(run);
        return annotation(run, EXECUTION_NAME)
                .filter(name -> !name.isEmpty() && !uid.isEmpty())
                .flatMap(name ->
                        annotation(run, EXECUTION_NAMESPACE).map(namespace -> new ExecutionRef(namespace, name, uid)));
    }

    static ObjectMeta newRunMetadata(Execution execution, String namespace) {
        String target = Target.parse(execution.spec().targetResource()).objectName();
        return new ObjectMetaBuilder()
                .withName(runName(target, execution.ref().uid()))
                .withNamespace(namespace)
                .withLabels(Map.of(
                        MANAGED_BY, ESCAPEMENT, EXECUTION_UID, execution.ref().uid(), TARGET, target))
                .withAnnotations(Map.of(
                        EXECUTION_NAMESPACE, execution.ref().namespace(),
                        EXECUTION_NAME, execution.ref().name(),
                        TARGET_RESOURCE, execution.spec().targetResource(),
                        WORKFLOW_ID, execution.workflowId()))
                .build();
    }

    /** Returns the uid of the execution of a run; empty if it has none. */
    public static String executionUid(HasMetadata run) {
        return Optional.ofNullable(run.getMetadata().getLabels())
                .map(labels -> labels.get(EXECUTION_UID))
                .orElse("");
    }

    public static Optional<String> cancelledBy(HasMetadata run) {
        return annotation(run, CANCELLED_BY);
    }

    static JsonPatch markExpired(JsonPatch patch) {
        return patch.annotate(EXPIRED, "true");
    }

    public static boolean isExpired(HasMetadata run) {
        return annotation(run, EXPIRED).isPresent();
    }

    /** Returns when the run was started; when it was created if that was not recorded. */
    public static Instant startedAt(HasMetadata run) {
        return instant(run, STARTED_AT)
                .orElseGet(() -> Instant.parse(run.getMetadata().getCreationTimestamp()));
    }

    static Optional<Instant> stopRequestedAt(HasMetadata run) {
        return instant(run, STOP_REQUESTED_AT);
    }

    private static Optional<Instant> instant(HasMetadata run, String key) {
        try {
            return annotation(run, key).map(Instant::parse);
        } catch (DateTimeParseException changedByHand) {
            return Optional.empty();
        }
    }

    /** Returns an annotation of any object. */
    public static Optional<String> annotation(HasMetadata object, String key) {
        return Optional.ofNullable(object.getMetadata().getAnnotations()).map(annotations -> annotations.get(key));
    }
}
