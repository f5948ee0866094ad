package dev.escapement.api.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.api.SampleDocuments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaValidatorTest {

    private static final SchemaValidator TARGET = SchemaValidator.load("RemediationTarget", SampleDocuments::parseYaml);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RemediationTarget",
                "EndpointRun",
                "TransitionEvent",
                "ProgressEvent",
                "ErrorBody",
                "Explanation",
                "CatalogueWorkflow",
                "NotificationRequest"
            })
    void acceptsSample(String kind) {
        SchemaValidator validator = SchemaValidator.load(kind, SampleDocuments::parseYaml);
        assertThat(validator.validate(SampleDocuments.read(kind))).isEmpty();
    }

    @Test
    void refusesUnsupportedKeyword() {
        assertThatThrownBy(() -> new SchemaValidator(
                        Map.of("type", "object", "properties", Map.of("a", Map.of("oneOf", List.of())))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("schema .a has the keyword oneOf, which is not supported");
    }

    @Test
    void refusesUnknownKind() {
        assertThatThrownBy(() -> SchemaValidator.text("Nothing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no schema for kind \"Nothing\"");
    }

    @Test
    void checksItemsOfLists() {
        SchemaValidator lists = new SchemaValidator(Map.of(
                "type",
                "object",
                "properties",
                Map.of("list", Map.of("type", "array", "items", Map.of("type", "integer", "format", "int32")))));
        assertThat(messages(lists, Map.of("list", List.of(1, 2.0, 2.5, "x", 3_000_000_000L))))
                .containsExactly(
                        "list[2] is 2.5: must be a whole number",
                        "list[3] is \"x\": must be a whole number",
                        "list[4] is 3000000000: must fit into a number of type int32");
        assertThat(messages(lists, Map.of("list", "x"))).containsExactly("list is \"x\": must be a list");
    }

    @Test
    void makesValuesSafeToShow() {
        SchemaValidator flag =
                new SchemaValidator(Map.of("type", "object", "properties", Map.of("a", Map.of("type", "boolean"))));
        assertThat(messages(flag, Map.of("a", "\u001b[31m\n\"x\"" + "y".repeat(200))))
                .singleElement()
                .asString()
                .startsWith("a is \"[31m 'x'yyy")
                .endsWith("…\": must be true or false")
                .hasSizeLessThan(150);
        assertThat(messages(flag, Map.of("b\u001b\n", 1))).containsExactly("b is not a field (fields: a)");
    }

    @Test
    void checksThatStateOfTargetMatchesHolder() {
        Map<String, Object> document = SampleDocuments.read("RemediationTarget");
        Map<String, Object> status = new LinkedHashMap<>();
        document.put("status", status);
        status.put("state", "Held");
        status.put("epoch", 12);
        status.put("holder", Map.of("name", "other", "uid", "other"));
        assertThat(messages(TARGET, document)).isEmpty();
        status.put("state", "Free");
        assertThat(messages(TARGET, document))
                .containsExactly("status is invalid: the state is Held if and only if there is a holder");
    }

    @Test
    void checksNameAndCanonicalFormOfTargets() {
        Map<String, Object> document = SampleDocuments.read("RemediationTarget");
        document.put("metadata", Map.of("name", "wfe-1"));
        document.put("spec", Map.of("targetResource", "Node/worker-1"));
        assertThat(messages(TARGET, document))
                .hasSize(2)
                .anySatisfy(message -> assertThat(message).startsWith("the name must be wfe- and the first 16"))
                .anySatisfy(message -> assertThat(message)
                        .startsWith("spec.targetResource is \"Node/worker-1\": it is not a target in canonical form"));
    }

    private static List<String> messages(SchemaValidator validator, Map<String, ?> document) {
        return validator.validate(document).stream().map(Violation::message).toList();
    }
}
