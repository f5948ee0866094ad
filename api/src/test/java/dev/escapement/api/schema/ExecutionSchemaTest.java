package dev.escapement.api.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.SampleDocuments;
import dev.escapement.common.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is accepted as an execution, and what is said of what is not; the cluster tests ask the API server the same. */
class ExecutionSchemaTest {

    private static final SchemaValidator REQUESTS =
            SchemaValidator.loadForRequests("WorkflowExecution", SampleDocuments::parseYaml);
    private static final SchemaValidator WHOLE = SchemaValidator.load("WorkflowExecution", SampleDocuments::parseYaml);
    private static final String LABEL = "a".repeat(63);
    private static final String LONGEST_NAME = String.join(".", LABEL, LABEL, LABEL, "a".repeat(61));

    static Arguments[] legal() {
        return new Arguments[] {
            Arguments.of("targetResource", LABEL + "/Deployment/" + LONGEST_NAME),
            Arguments.of("targetResource", "clusterrole/system:coredns"),
            Arguments.of("targetResource", "kube-system/role/system::leader-locking-x"),
            Arguments.of("targetResource", "shop/" + LONGEST_NAME.replace('a', 'K') + "/a.b-c"),
            Arguments.of("workflowRef/workflowId", "x".repeat(1024)),
            Arguments.of("workflowRef/containerDigest", "sha256:" + "0a".repeat(32)),
            Arguments.of("workflowRef/containerDigest", ""),
            Arguments.of("parameters/QUOTES", "\"'`\n\t\\ $(rm -rf /) ${x} {{y}} \u00e9 \ud83d\udd27"),
            Arguments.of("parameters/LARGE", "x".repeat((16 << 10) - "LARGE".length())),
            Arguments.of("parameters/a.b-c_D", ""),
            Arguments.of("parameters", many(512, 20)),
            Arguments.of("confidence", 0),
            Arguments.of("confidence", 0.75),
            Arguments.of("rationale", "\ud83d\udd27".repeat(16 << 10)),
            Arguments.of("executionConfig/timeout", "1h30m"),
            Arguments.of("executionConfig/timeout", "PT5M"),
            Arguments.of("executionConfig/timeout", ""),
            Arguments.of("executionConfig/serviceAccountName", LONGEST_NAME),
            Arguments.of("executionConfig/engine", "job"),
            Arguments.of("remediationRequestRef", Map.of("name", "rr-1", "namespace", "ops", "uid", "u"))
        };
    }

    @ParameterizedTest
    @MethodSource("legal")
    void acceptsLegalValue(String path, Object value) {
        assertThat(messages(REQUESTS, request(path, value))).isEmpty();
    }

    static Arguments[] illegal() {
        return new Arguments[] {
            Arguments.of(
                    "targetResource",
                    "worker-1",
                    "spec.targetResource is \"worker-1\": it has neither 2 nor 3 parts; write namespace/kind/name, or"
                            + " kind/name for what has no namespace"),
            Arguments.of("targetResource", "", "neither 2 nor 3 parts"),
            Arguments.of("targetResource", "a/b/c/d", "neither 2 nor 3 parts"),
            Arguments.of("targetResource", "/worker-1", "its kind is not a name"),
            Arguments.of("targetResource", "node/", "its name is not a Kubernetes name"),
            Arguments.of("targetResource", "node/x\n", "its name is not a Kubernetes name"),
            Arguments.of("targetResource", "/deployment/x", "its namespace is not the name of a"),
            Arguments.of("targetResource", "Shop/deployment/x", "its namespace is not the name of a"),
            Arguments.of("targetResource", "a.b/deployment/x", "its namespace is not the name of a"),
            Arguments.of("targetResource", LABEL + "a/pod/x", "its namespace is not the name of a"),
            Arguments.of("targetResource", "a/my kind/x", "its kind is not a name"),
            Arguments.of("targetResource", "node/Worker", "its name is not a Kubernetes name"),
            Arguments.of("targetResource", "node/a:", "its name is not a Kubernetes name"),
            Arguments.of("targetResource", "no:de/a", "its kind is not a name"),
            Arguments.of("targetResource", "\u212Aind/a", "its kind is not a name"),
            Arguments.of("targetResource", "node/a..b", "its name is not a Kubernetes name"),
            Arguments.of("targetResource", "node/" + "a".repeat(254), "its name is not a Kubernetes name"),
            Arguments.of(
                    "targetResource", "a".repeat(600), "spec.targetResource has 600 characters: must have at most 571"),
            Arguments.of("targetResource", 5, "spec.targetResource is 5: must be a string; write it in quotes"),
            Arguments.of("workflowRef", Map.of(), "spec.workflowRef.workflowId is missing: the id of the workflow"),
            Arguments.of("workflowRef", "x", "spec.workflowRef is \"x\": must be an object"),
            Arguments.of(
                    "workflowRef/workflowId",
                    "",
                    "spec.workflowRef.workflowId is \"\": it is empty, but it names the workflow to run"),
            Arguments.of("workflowRef/workflowId", " \t\n\u2003\u001f", "it is empty"),
            Arguments.of("workflowRef/workflowId", "x".repeat(1025), "must have at most 1024"),
            Arguments.of("workflowRef/containerImage", "two words", "it has white space in it"),
            Arguments.of("workflowRef/containerDigest", "sha256:abc", "it is not a digest"),
            Arguments.of(
                    "workflowRef/digest",
                    "sha256:abc",
                    "spec.workflowRef.digest is not a field (fields: workflowId, version, containerImage,"
                            + " containerDigest)"),
            Arguments.of("parameters/DEPTH", 2, "spec.parameters.DEPTH is 2: must be a string; write it in quotes"),
            Arguments.of("parameters/1ST", "x", "spec.parameters is invalid: each name must begin with a letter"),
            Arguments.of("parameters", many(30, 1000), "more than 16384 characters"),
            Arguments.of("parameters", many(513, 1), "spec.parameters has 513 entries: must have at most 512"),
            Arguments.of("confidence", -0.1, "spec.confidence is -0.1: must be at least 0"),
            Arguments.of("confidence", 1.5, "spec.confidence is 1.5: must be at most 1"),
            Arguments.of("confidence", Double.NaN, "spec.confidence is NaN: must be at most 1"),
            Arguments.of("confidence", "high", "spec.confidence is \"high\": must be a number"),
            Arguments.of("rationale", "x".repeat((16 << 10) + 1), "must have at most 16384"),
            Arguments.of("executionConfig/timeout", "0s", "it must be longer than zero"),
            Arguments.of("executionConfig/timeout", "-5m", "it is not a duration"),
            Arguments.of("executionConfig/timeout", "5", "it is not a duration"),
            Arguments.of("executionConfig/timeout", "P", "it is not a duration"),
            Arguments.of("executionConfig/timeout", "soon", "it is not a duration"),
            Arguments.of("executionConfig/serviceAccountName", "Me", "it is not the name of a service account"),
            Arguments.of(
                    "executionConfig/engine",
                    "argo",
                    "spec.executionConfig.engine is \"argo\": must be one of tekton, job, or empty"),
            Arguments.of("executionConfig/retries", 3, "is not a field"),
            Arguments.of("remediationRequestRef", Map.of("namespace", "ops"), "remediationRequestRef.name is missing"),
            Arguments.of("remediationRequestRef/name", " ", "it is empty"),
            Arguments.of("target", "node/worker-1", "spec.target is not a field"),
        };
    }

    @ParameterizedTest
    @MethodSource("illegal")
    void reportsIllegalValue(String path, Object value, String message) {
        assertThat(messages(REQUESTS, request(path, value)))
                .singleElement()
                .asString()
                .contains(message);
    }

    @Test
    void reportsEveryProblemAtOnce() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("apiVersion", "v1");
        document.put("metadata", Map.of("name", "Fix_1", "labels", Map.of("n", 1), "namespace", "a.b"));
        document.put(
                "spec", Map.of("confidence", 1.5, "foo", "bar", "workflowRef", Map.of("workflowId", "\u001b[31m")));
        document.put("status", Map.of("phase", "whatever", "new", 1));
        assertThat(messages(REQUESTS, document))
                .containsExactlyInAnyOrder(
                        "apiVersion is \"v1\": must be kubernaut.ai/v1alpha1",
                        "kind is missing: the kind of the resource, WorkflowExecution",
                        "metadata.name is \"Fix_1\": must match"
                                + " ^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
                        "metadata.labels.n is 1: must be a string; write it in quotes",
                        "metadata.namespace is \"a.b\": must match ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
                        "spec.confidence is 1.5: must be at most 1",
                        "spec.foo is not a field (fields: remediationRequestRef, workflowRef, targetResource,"
                                + " parameters, confidence, rationale, executionConfig, onConflict, waitFor)",
                        "spec.targetResource is missing: what the workflow acts on, as namespace/kind/name, or as"
                                + " kind/name for what has no namespace (such as a node)");
    }

    @Test
    void listsABoundedNumberOfProblems() {
        Map<String, Object> many = new LinkedHashMap<>();
        IntStream.range(0, 150).forEach(i -> many.put("P" + i, i));
        List<String> messages = messages(REQUESTS, request("parameters", many));
        assertThat(messages).hasSize(101).last().isEqualTo("50 more problems are not listed");
    }

    @Test
    void treatsNullAsAbsent() {
        Map<String, Object> spec = new LinkedHashMap<>(Map.of("targetResource", "node/a"));
        spec.put("workflowRef", null);
        spec.put("rationale", null);
        assertThat(messages(REQUESTS, document(spec)))
                .containsExactly("spec.workflowRef is missing: the workflow to run");
    }

    @ParameterizedTest
    @ValueSource(strings = {"clean-disk-job", "drain-node-job", "rotate-certificates-job", "restart-tekton"})
    void acceptsExample(String example) {
        List<Map<String, Object>> documents = SampleDocuments.yamlFile("examples/kubernetes/" + example + ".yaml");
        assertThat(documents).allSatisfy(document -> {
            assertThat(messages(REQUESTS, document)).isEmpty();
            assertThat(Json.toMap(Json.fromMap(document, SampleDocuments.type("WorkflowExecution"))))
                    .isEqualTo(document);
        });
    }

    @Test
    void acceptsSamples() {
        assertThat(messages(WHOLE, SampleDocuments.read("WorkflowExecution-failed")))
                .isEmpty();
        assertThat(messages(WHOLE, SampleDocuments.read("WorkflowExecution-skipped")))
                .isEmpty();
    }

    private static List<String> messages(SchemaValidator validator, Map<String, ?> document) {
        return validator.validateRequest(document).stream()
                .map(Violation::message)
                .toList();
    }

    private static Map<String, Object> request(String path, Object value) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("workflowRef", new LinkedHashMap<>(Map.of("workflowId", "clean-disk")));
        spec.put("targetResource", "node/worker-1");
        put(spec, new ArrayList<>(List.of(path.split("/"))), value);
        return document(spec);
    }

    @SuppressWarnings("unchecked") // The maps are made here.
    private static void put(Map<String, Object> object, List<String> path, Object value) {
        String name = path.remove(0);
        if (path.isEmpty()) {
            object.put(name, value);
        } else {
            Object child = object.computeIfAbsent(name, missing -> new LinkedHashMap<String, Object>());
            if (name.equals("remediationRequestRef")) {
                ((Map<String, Object>) child).put("namespace", "ops");
            }
            put((Map<String, Object>) child, path, value);
        }
    }

    private static Map<String, Object> document(Map<String, Object> spec) {
        return Map.of(
                "apiVersion",
                "kubernaut.ai/v1alpha1",
                "kind",
                "WorkflowExecution",
                "metadata",
                Map.of("name", "fix-1"),
                "spec",
                spec);
    }

    private static Map<String, String> many(int count, int length) {
        Map<String, String> many = new TreeMap<>();
        IntStream.range(0, count).forEach(i -> many.put("P" + i, "x".repeat(length)));
        return many;
    }
}
