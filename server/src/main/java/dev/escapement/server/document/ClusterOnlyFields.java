package dev.escapement.server.document;

import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.schema.Violation;
import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds the fields of executions that only an operator on Kubernetes can honour. A standalone server refuses them: if
 * it ignored them, it would run something else than what was requested.
 */
public final class ClusterOnlyFields {

    private static final int MAX_VALUE_LENGTH = 100;
    private static final String RULE =
            "only an operator on Kubernetes can honour it, because this server runs workflows"
                    + " as local processes; leave it out";

    private ClusterOnlyFields() {}

    /**
     * Checks a requested execution.
     *
     * @throws IllegalArgumentException listing the fields with path, value and rule
     */
    public static void reject(Execution execution) {
        ExecutionSpec spec = execution.spec();
        List<Violation> violations = find(Map.of(
                "spec.executionConfig.engine", spec.config().engine(),
                "spec.executionConfig.serviceAccountName", spec.config().serviceAccountName(),
                "spec.workflowRef.containerDigest", spec.workflow().containerDigest(),
                "spec.workflowRef.containerImage", ifPinned(spec.workflow().containerImage())));
        if (!violations.isEmpty()) {
            throw new IllegalArgumentException("%s %s refused: %s"
                    .formatted(
                            WorkflowExecution.KIND,
                            SafeText.quote(execution.ref().name(), MAX_VALUE_LENGTH),
                            violations.stream().map(Violation::message).collect(Collectors.joining("; "))));
        }
    }

    /** Returns an image with a digest; empty for one without, which only describes the workflow. */
    public static String ifPinned(String image) {
        return image.contains("@") ? image : "";
    }

    /**
     * Returns a violation for each field that is given.
     *
     * @param fields the value of each field by its path; empty if it is not given
     */
    public static List<Violation> find(Map<String, String> fields) {
        return new TreeMap<>(fields)
                .entrySet().stream()
                        .filter(field -> !field.getValue().isEmpty())
                        .map(field ->
                                new Violation(field.getKey(), SafeText.quote(field.getValue(), MAX_VALUE_LENGTH), RULE))
                        .toList();
    }
}
