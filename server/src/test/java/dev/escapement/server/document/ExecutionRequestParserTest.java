package dev.escapement.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.common.Json;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExecutionRequestParserTest {

    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private static Execution parse(Map<String, ?> document) {
        return ExecutionRequestParser.parse(document, "default", "0f8e-uid", NOW);
    }

    private static Map<String, Object> requestDocument() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("apiVersion", "kubernaut.ai/v1alpha1");
        document.put("kind", "WorkflowExecution");
        document.put(
                "metadata",
                Map.of(
                        "name",
                        "fix-1",
                        "ownerReferences",
                        List.of(Map.of(
                                "apiVersion",
                                "v1",
                                "kind",
                                "ConfigMap",
                                "name",
                                "o",
                                "uid",
                                "u",
                                "controller",
                                true))));
        document.put(
                "spec",
                Map.of(
                        "workflowRef", Map.of("workflowId", "clean-disk"),
                        "targetResource", "node/worker-1",
                        "parameters", Map.of("DEPTH", "2"),
                        "executionConfig", Map.of("timeout", "5m"),
                        "remediationRequestRef",
                                Map.of("name", "rr-1", "namespace", "ops", "kind", "RemediationRequest")));
        return document;
    }

    @Test
    void returnsRequestAsItWasGiven() {
        Execution execution = parse(requestDocument());
        assertThat(execution.ref()).isEqualTo(new ExecutionRef("default", "fix-1", "0f8e-uid"));
        Map<String, Object> written = Json.toMap(ExecutionMapper.toDocument(execution, ""));
        assertThat(written).containsEntry("spec", requestDocument().get("spec"));
        assertThat(String.valueOf(written.get("metadata"))).contains("ownerReferences=[{apiVersion=v1, kind=ConfigMap");
    }

    @Test
    void acceptsWrittenDocumentWithStatusOfAnyForm() {
        Map<String, Object> written = Json.toMap(ExecutionMapper.toDocument(parse(requestDocument()), "7"));
        assertThat(parse(written).spec()).isEqualTo(parse(requestDocument()).spec());
        written.put("status", "unknown");
        assertThat(parse(written).spec()).isEqualTo(parse(requestDocument()).spec());
    }

    @Test
    void reportsAllProblemsAtOnce() {
        Map<String, Object> document = requestDocument();
        document.put("kind", "Workflow");
        document.put("metadata", Map.of("name", "Not A Name", "namespace", "UP"));
        document.put(
                "spec",
                Map.of(
                        "workflowRef", Map.of("version", 3),
                        "parameters", Map.of("DEPTH", 2),
                        "confidence", 1.5,
                        "colour", "red",
                        "executionConfig", Map.of("timeout", "soon")));
        assertThatThrownBy(() -> parse(document))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("WorkflowExecution \"Not A Name\" refused")
                .hasMessageContaining("kind is \"Workflow\"")
                .hasMessageContaining("metadata.name is \"Not A Name\"")
                .hasMessageContaining("metadata.namespace is \"UP\"")
                .hasMessageContaining("spec.workflowRef.workflowId is missing")
                .hasMessageContaining("spec.workflowRef.version is 3")
                .hasMessageContaining("spec.parameters.DEPTH is 2")
                .hasMessageContaining("spec.confidence is 1.5")
                .hasMessageContaining("spec.colour is not a field")
                .hasMessageContaining("spec.targetResource is missing")
                .hasMessageContaining("spec.executionConfig.timeout is \"soon\"");
    }

    @Test
    void rejectsOwnerReferenceWithEmptyFields() {
        Map<String, Object> document = requestDocument();
        Map<String, String> owner = Map.of("apiVersion", "", "kind", "", "name", "", "uid", "");
        document.put("metadata", Map.of("name", "fix-1", "ownerReferences", List.of(owner)));
        assertThatThrownBy(() -> parse(document))
                .hasMessageContaining("apiVersion")
                .hasMessageContaining("kind")
                .hasMessageContaining("name")
                .hasMessageContaining("uid");
    }

    @Test
    void rejectsPartsOfWrongType() {
        for (Object invalid : List.of("text", 7, true, List.of(1, 2))) {
            for (String part : List.of("metadata", "spec")) {
                Map<String, Object> document = requestDocument();
                document.put(part, invalid);
                assertThatThrownBy(() -> parse(document))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(part + " is ");
            }
        }
        assertThatThrownBy(() -> parse(Map.of())).hasMessageContaining("apiVersion is missing");
    }

    @Test
    void rejectsTooLongValues() {
        Map<String, Object> document = requestDocument();
        document.put(
                "spec",
                Map.of(
                        "workflowRef", Map.of("workflowId", "w"),
                        "targetResource", "node/a",
                        "rationale", "x".repeat(20_000),
                        "parameters", Map.of("A", "x".repeat(100_000), "B", "x".repeat(200_000))));
        assertThatThrownBy(() -> parse(document))
                .hasMessageContaining("spec.rationale")
                .hasMessageContaining("spec.parameters");
    }

    @Test
    void rejectsWhatTheClusterRejects() {
        Map<String, Object> document = requestDocument();
        document.put(
                "spec",
                Map.of(
                        "workflowRef", Map.of("workflowId", "w", "containerDigest", "sha256:short"),
                        "targetResource", "not a target",
                        "executionConfig", Map.of("engine", "make")));
        assertThatThrownBy(() -> parse(document))
                .hasMessageContaining("spec.targetResource is \"not a target\"")
                .hasMessageContaining("spec.workflowRef.containerDigest is \"sha256:short\"")
                .hasMessageContaining("spec.executionConfig.engine is \"make\"");
    }

    @Test
    void checksDefaultNamespace() {
        assertThatThrownBy(() -> ExecutionRequestParser.parse(requestDocument(), "UP", "uid", NOW))
                .hasMessageContaining("metadata.namespace is \"UP\"");
    }
}
