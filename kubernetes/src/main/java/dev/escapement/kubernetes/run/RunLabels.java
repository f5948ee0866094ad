package dev.escapement.kubernetes.run;

import dev.escapement.common.Digests;
import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.Target;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
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

    /** The annotation with the actor that stopped the run. */
    public static final String CANCELLED_BY = "kubernaut.ai/cancelled-by";

    private static final int HASH_BYTES = 5;

    private RunLabels() {}

    static ObjectMeta newRunMetadata(Execution execution, String namespace) {
        String target = Target.parse(execution.spec().targetResource()).objectName();
        return new ObjectMetaBuilder()
                .withName(target + "-" + Digests.sha256Hex(execution.ref().uid(), HASH_BYTES))
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

    /** Returns an annotation of any object. */
    public static Optional<String> annotation(HasMetadata object, String key) {
        return Optional.ofNullable(object.getMetadata().getAnnotations()).map(annotations -> annotations.get(key));
    }
}
