package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.target.RemediationTarget;
import dev.escapement.common.Json;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.testkit.Generator;
import dev.escapement.testkit.Property;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The schemas describe exactly what the program writes and reads. */
class CustomResourceDefinitionsTest {

    private static final int CASES = 2_000;
    private static final CrdSchema EXECUTION_SCHEMA = new CrdSchema(DeployManifests.schema(DeployManifests.EXECUTIONS));
    private static final CrdSchema TARGET_SCHEMA = new CrdSchema(DeployManifests.schema(DeployManifests.TARGETS));

    private static final CrdSchema NOTIFICATION_SCHEMA =
            new CrdSchema(DeployManifests.schema(DeployManifests.NOTIFICATIONS));

    @Test
    void writtenExecutionsMatchSchema() {
        Property.forAll(
                CASES,
                gen -> assertThat(EXECUTION_SCHEMA.findProblems(ResourceDocumentGenerator.executionDocument(gen)))
                        .isEmpty());
    }

    @Test
    void writtenEntriesMatchSchema() {
        Property.forAll(
                CASES,
                gen -> assertThat(TARGET_SCHEMA.findProblems(ResourceDocumentGenerator.entryDocument(gen)))
                        .isEmpty());
    }

    @Test
    void everyExecutionFieldIsWritten() {
        assertThat(findNeverWritten(EXECUTION_SCHEMA, ResourceDocumentGenerator::executionDocument))
                .isEmpty();
    }

    @Test
    void everyEntryFieldIsWritten() {
        assertThat(findNeverWritten(TARGET_SCHEMA, ResourceDocumentGenerator::entryDocument))
                .isEmpty();
    }

    private static Set<String> findNeverWritten(CrdSchema schema, Function<Generator, Map<String, Object>> documents) {
        Set<String> unwritten = new TreeSet<>(schema.fields().keySet());
        Property.forAll(CASES, gen -> {
            Set<String> written = CrdSchema.pathsOf(documents.apply(gen));
            unwritten.removeAll(written);
            // The values of a map have arbitrary keys.
            unwritten.removeIf(path -> path.endsWith("parameters[]") && written.contains("spec.parameters"));
        });
        return unwritten;
    }

    /** Except metadata, which only the API server may describe. */
    @Test
    void everyFieldHasDescription() {
        for (CrdSchema schema : List.of(EXECUTION_SCHEMA, TARGET_SCHEMA, NOTIFICATION_SCHEMA)) {
            Map<String, JSONSchemaProps> fields = schema.fields();
            fields.remove("metadata");
            assertThat(fields)
                    .allSatisfy((path, field) -> assertThat(field.getDescription())
                            .describedAs(path)
                            .isNotNull()
                            .matches("\\p{Lu}.*[^.]\\.")
                            .matches(text -> text.split(" ").length >= 2, "has more than one word"));
        }
    }

    @Test
    void phaseEnumMatchesStatusTypes() {
        assertThat(EXECUTION_SCHEMA.enumValues("status.phase"))
                .containsExactlyInAnyOrderElementsOf(
                        phaseNames(ExecutionStatus.class).toList());
    }

    private static Stream<String> phaseNames(Class<?> status) {
        return status.isSealed()
                ? Stream.of(status.getPermittedSubclasses()).flatMap(CustomResourceDefinitionsTest::phaseNames)
                : Stream.of(status.getSimpleName());
    }

    @Test
    void reasonEnumsMatchCode() {
        assertThat(EXECUTION_SCHEMA.enumValues("status.failureDetails.reason"))
                .containsExactlyElementsOf(enumNames(FailureReason.values()));
        assertThat(EXECUTION_SCHEMA.enumValues("status.skipDetails.reason"))
                .containsExactlyElementsOf(enumNames(SkipReason.values()));
    }

    private static List<String> enumNames(Enum<?>[] constants) {
        return Stream.of(constants).map(Enum::name).toList();
    }

    /** For values that are not an enum in the code. */
    @Test
    void everyOtherEnumValueIsWritten() {
        assertWritten(EXECUTION_SCHEMA, ResourceDocumentGenerator::executionDocument, "status.outcome");
        assertWritten(
                EXECUTION_SCHEMA, ResourceDocumentGenerator::executionDocument, "status.pipelineRunStatus.status");
        assertWritten(
                EXECUTION_SCHEMA,
                ResourceDocumentGenerator::executionDocument,
                "status.skipDetails.recentRemediation.outcome");
        assertWritten(EXECUTION_SCHEMA, ResourceDocumentGenerator::executionDocument, "status.conditions[].status");
        assertWritten(TARGET_SCHEMA, ResourceDocumentGenerator::entryDocument, "status.state");
    }

    private static void assertWritten(
            CrdSchema schema, Function<Generator, Map<String, Object>> documents, String path) {
        Set<String> written = new HashSet<>();
        Property.forAll(CASES, gen -> written.addAll(valuesAt(documents.apply(gen), List.of(path.split("\\.")))));
        assertThat(written).containsExactlyInAnyOrderElementsOf(schema.enumValues(path));
    }

    private static List<String> valuesAt(Object value, List<String> path) {
        if (value instanceof List<?> list) {
            List<String> all = new ArrayList<>();
            list.forEach(item -> all.addAll(valuesAt(item, path)));
            return all;
        }
        if (path.isEmpty()) {
            return List.of(String.valueOf(value));
        }
        String name = path.get(0).replace("[]", "");
        return value instanceof Map<?, ?> map && map.get(name) != null
                ? valuesAt(map.get(name), path.subList(1, path.size()))
                : List.of();
    }

    @Test
    void parserAcceptsEverySpecFieldOfSchema() {
        Map<String, Object> document = Map.of(
                "apiVersion",
                "kubernaut.ai/v1alpha1",
                "kind",
                WorkflowExecution.KIND,
                "metadata",
                Map.of("name", "all"),
                "spec",
                documentWithAllFields(EXECUTION_SCHEMA, "spec."));
        assertThat(ExecutionMapper.fromRequest(
                                Json.fromMap(document, WorkflowExecution.class),
                                "default",
                                "uid-1",
                                ExecutionSamples.NOW)
                        .spec()
                        .workflow()
                        .workflowId())
                .isEqualTo("1s");
    }

    /** Returns an object with every field of the schema and a value that is valid for any text. */
    private static Map<String, Object> documentWithAllFields(CrdSchema schema, String prefix) {
        Map<String, Object> object = new TreeMap<>();
        schema.fields().forEach((path, field) -> {
            if (path.startsWith(prefix) && !path.substring(prefix.length()).matches(".*(\\.|\\[).*")) {
                String name = path.substring(prefix.length());
                object.put(
                        name,
                        switch (field.getType()) {
                            case "object" -> documentWithAllFields(schema, path + ".");
                            case "number" -> 1;
                            default ->
                                field.getEnum().isEmpty()
                                        ? "1s"
                                        : field.getEnum()
                                                .get(field.getEnum().size() - 1)
                                                .asText();
                        });
            }
        });
        return object;
    }

    @Test
    void resourceNamesMatchDocuments() {
        assertNames(
                DeployManifests.definition(DeployManifests.EXECUTIONS), WorkflowExecution.KIND, "Namespaced", "wfe");
        assertNames(DeployManifests.definition(DeployManifests.TARGETS), RemediationTarget.KIND, "Cluster", "rt");
        assertNames(
                DeployManifests.definition(DeployManifests.NOTIFICATIONS),
                NotificationRequest.KIND,
                "Namespaced",
                "nr");
    }

    private static void assertNames(CustomResourceDefinition definition, String kind, String scope, String shortName) {
        var spec = definition.getSpec();
        assertThat(spec.getGroup() + "/" + spec.getVersions().get(0).getName()).isEqualTo("kubernaut.ai/v1alpha1");
        assertThat(spec.getNames().getKind()).isEqualTo(kind);
        assertThat(spec.getNames().getShortNames()).containsExactly(shortName);
        assertThat(spec.getScope()).isEqualTo(scope);
        assertThat(definition.getMetadata().getName()).isEqualTo(spec.getNames().getPlural() + "." + spec.getGroup());
    }

    /** Acquiring a new target is one write only if create keeps the status. */
    @Test
    void onlyTargetsHaveNoStatusSubresource() {
        var executions = DeployManifests.definition(DeployManifests.EXECUTIONS)
                .getSpec()
                .getVersions()
                .get(0);
        var targets = DeployManifests.definition(DeployManifests.TARGETS)
                .getSpec()
                .getVersions()
                .get(0);
        var notifications = DeployManifests.definition(DeployManifests.NOTIFICATIONS)
                .getSpec()
                .getVersions()
                .get(0);
        assertThat(executions.getSubresources().getStatus()).isNotNull();
        assertThat(notifications.getSubresources().getStatus()).isNotNull();
        assertThat(targets.getSubresources()).isNull();
    }
}
