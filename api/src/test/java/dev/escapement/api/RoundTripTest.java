package dev.escapement.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.api.error.ErrorBody;
import dev.escapement.api.event.TransitionEvent;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.common.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoundTripTest {

    static final List<String> SAMPLES = SampleDocuments.NAMES;

    /** Objects whose keys are chosen by users: what is not known in them is not unknown. */
    private static final Set<String> MAPS = Set.of("labels", "annotations", "parameters", "headers", "details");

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void writesWhatItReadInTheSameOrder(String sample) {
        String text = Json.write(SampleDocuments.read(sample));
        assertThat(Json.write(Json.read(text, SampleDocuments.type(sample)))).isEqualTo(text);
    }

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void keepsUnknownFieldsAtEveryLevel(String sample) {
        Object document = withUnknownFields(SampleDocuments.read(sample), "");
        if (document instanceof Map<?, ?> root && sample.equals("ErrorBody")) {
            // The wrapper has one field for good.
            root.remove("newField");
        }
        String text = Json.write(document);
        Object written = Json.read(Json.write(Json.read(text, SampleDocuments.type(sample))), Map.class);
        assertThat(written).isEqualTo(Json.read(text, Map.class));
    }

    private static Object withUnknownFields(Object value, String name) {
        if (value instanceof List<?> list) {
            return new ArrayList<>(
                    list.stream().map(item -> withUnknownFields(item, name)).toList());
        }
        if (!(value instanceof Map<?, ?> object) || MAPS.contains(name)) {
            return value;
        }
        Map<String, Object> changed = new LinkedHashMap<>();
        object.forEach((key, field) -> changed.put(String.valueOf(key), withUnknownFields(field, (String) key)));
        changed.put("newField", Map.of("list", List.of(1, Map.of("deep", true)), "text", "x"));
        return changed;
    }

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void keepsUnknownEnumValues(String sample) {
        String text = Json.write(SampleDocuments.read(sample))
                .replaceAll("\"(phase|state|outcome|reason|status|type|method|failure)\":\"[^\"]*\"", "\"$1\":\"New\"");
        assertThat(Json.write(Json.read(text, SampleDocuments.type(sample)))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WorkflowExecution-failed", "RemediationTarget"})
    void readsWholeNumbersBeyond32Bits(String sample) {
        String text = Json.write(SampleDocuments.read(sample)).replaceAll(":\\d+([,}])", ":3000000000$1");
        assertThat(text).contains(":3000000000");
        assertThat(Json.write(Json.read(text, SampleDocuments.type(sample)))).isEqualTo(text);
    }

    @Test
    void leavesOutWhatIsAbsentOrEmpty() {
        WorkflowExecutionSpec spec =
                new WorkflowExecutionSpec(null, null, "node/a", Map.of(), null, "", null, null, null, Map.of());
        assertThat(Json.write(WorkflowExecution.of(ObjectMetadata.named("x", ""), spec, null)))
                .isEqualTo("{\"apiVersion\":\"kubernaut.ai/v1alpha1\",\"kind\":\"WorkflowExecution\","
                        + "\"metadata\":{\"name\":\"x\"},\"spec\":{\"targetResource\":\"node/a\"}}");
    }

    @Test
    void readsAnEmptyDocument() {
        WorkflowExecution execution = Json.read("{}", WorkflowExecution.class);
        assertThat(execution.spec()).isNull();
        assertThat(execution.other()).isEmpty();
        assertThat(Json.read("{}", ObjectMetadata.class).labels()).isEmpty();
        assertThat(Json.read("{}", ErrorBody.class).error().problems()).isEmpty();
    }

    @Test
    void readsTransitionsOfFirstReleaseEvents() {
        TransitionEvent event = Json.read(
                "{\"type\":\"WorkflowFailed\",\"at\":\"2026-11-15T12:00:00Z\",\"namespace\":\"ops\",\"name\":\"fix-1\","
                        + "\"uid\":\"u1\",\"workflow\":\"w\",\"new\":1}",
                TransitionEvent.class);
        assertThat(Json.write(event))
                .isEqualTo("{\"type\":\"WorkflowFailed\",\"at\":\"2026-11-15T12:00:00Z\","
                        + "\"execution\":{\"namespace\":\"ops\",\"name\":\"fix-1\",\"uid\":\"u1\"},"
                        + "\"workflow\":\"w\",\"details\":{},\"new\":1}");
    }

    @Test
    void readsListsInParts() {
        assertThat(Json.write(new DocumentList<>(List.of("a"), new DocumentList.Metadata("next"))))
                .isEqualTo("{\"items\":[\"a\"],\"metadata\":{\"continue\":\"next\"}}");
        assertThat(Json.write(new DocumentList<>(List.of(), new DocumentList.Metadata(null))))
                .isEqualTo("{\"items\":[],\"metadata\":{}}");
    }

    @Test
    void doesNotPrintSecretsOfEndpoints() {
        Endpoint endpoint = Json.fromMap(SampleDocuments.read("Endpoint-stored"), Endpoint.class);
        assertThat(endpoint.toString()).contains("shop").doesNotContain("secret");
    }
}
