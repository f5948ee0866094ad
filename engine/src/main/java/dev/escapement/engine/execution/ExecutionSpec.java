package dev.escapement.engine.execution;

import dev.escapement.api.execution.WorkflowExecutionSpec.RemediationRequestReference;
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

    /** Returns the remediation request as {@code namespace/name}, or as {@code name} if it has no namespace. */
    public Optional<String> remediationId() {
        return remediationRequest.map(request -> Optional.ofNullable(request.namespace())
                .filter(namespace -> !namespace.isEmpty())
                .map(namespace -> namespace + "/" + request.name())
                .orElseGet(() -> String.valueOf(request.name())));
    }
}
