package dev.escapement.server.document;

import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.schema.SchemaValidator;
import dev.escapement.api.schema.Violation;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.mapping.ExecutionMapper;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Parses documents that request an execution. They must conform to the schema of the custom resource. */
public final class ExecutionRequestParser {

    private static final int MAX_QUOTE_LENGTH = 300;

    private ExecutionRequestParser() {}

    /** Loaded with the first request: the command line parses no YAML schema to list executions. */
    private static final class RequestSchema {
        static final SchemaValidator VALIDATOR = SchemaValidator.loadForRequests(
                WorkflowExecution.KIND, text -> DocumentParser.read(text, DocumentParser.Format.YAML));
    }

    /**
     * Returns the new execution that a document requests. Its status is ignored.
     *
     * @param uid the uid of the execution; names it if the document has no name
     * @throws IllegalArgumentException if the document is invalid; the message lists every problem with its path, value
     *     and rule
     */
    public static Execution parse(Map<String, ?> document, String defaultNamespace, String uid, Instant createdAt) {
        Map<String, Object> request = withNamespace(document, defaultNamespace);
        List<Violation> violations = RequestSchema.VALIDATOR.validateRequest(request);
        if (!violations.isEmpty()) {
            throw new IllegalArgumentException("%s%s refused: %s"
                    .formatted(
                            WorkflowExecution.KIND,
                            name(request).map(name -> " " + name).orElse(""),
                            violations.stream().map(Violation::message).collect(Collectors.joining("; "))));
        }
        // The status may be of any form, because it is not checked.
        request.remove("status");
        return ExecutionMapper.fromRequest(
                Json.fromMap(request, WorkflowExecution.class), defaultNamespace, uid, createdAt);
    }

    private static Map<String, Object> withNamespace(Map<String, ?> document, String defaultNamespace) {
        Map<String, Object> request = new LinkedHashMap<>(document);
        Object given = request.getOrDefault("metadata", Map.of());
        if (!(given instanceof Map<?, ?>)) {
            return request;
        }
        Map<String, Object> metadata = Json.toMap(given);
        if ("".equals(metadata.getOrDefault("namespace", ""))) {
            metadata.put("namespace", defaultNamespace);
        }
        // As in Kubernetes, an empty name counts as none.
        metadata.remove("name", "");
        metadata.remove("generateName", "");
        request.put("metadata", metadata);
        return request;
    }

    private static Optional<String> name(Map<String, Object> request) {
        return request.get("metadata") instanceof Map<?, ?> metadata && metadata.get("name") instanceof String name
                ? Optional.of(SafeText.quote(name, MAX_QUOTE_LENGTH))
                : Optional.empty();
    }
}
