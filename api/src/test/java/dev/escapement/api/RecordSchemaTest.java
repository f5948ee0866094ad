package dev.escapement.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.escapement.api.schema.SchemaValidator;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Records and schemas have the same fields: whoever adds one here is told to add it there. */
class RecordSchemaTest {

    static final Set<String> KINDS = SampleDocuments.KINDS.keySet();

    private static final String ONLY_BLOCKS = "only blocks are recorded after a deletion";

    /** Fields of records that are in no schema, and why. */
    private static final Map<String, String> NOT_IN_SCHEMA = Map.ofEntries(
            Map.entry("WorkflowExecution.metadata.*", "a CRD must leave the metadata to the API server"),
            Map.entry("RemediationTarget.metadata.*", "a CRD must leave the metadata to the API server"),
            Map.entry("NotificationRequest.metadata.*", "a CRD must leave the metadata to the API server"),
            Map.entry("RemediationTarget.status.workflows[].completed.reason", "a success has no reason"),
            Map.entry("RemediationTarget.status.workflows[].completed.executionDeleted", ONLY_BLOCKS),
            Map.entry("RemediationTarget.status.workflows[].retry.last.executionDeleted", ONLY_BLOCKS),
            Map.entry("RemediationTarget.status.workflows[].invalid.last.executionDeleted", ONLY_BLOCKS),
            Map.entry("RemediationTarget.status.retry.last.executionDeleted", ONLY_BLOCKS),
            Map.entry("Endpoint.pause", "only in the database"),
            Map.entry("Endpoint.runRequest", "only in the database"),
            Map.entry("Endpoint.archived", "only in the database"));

    /** Fields of records that serve several places, of which a schema has those of its place. */
    private static final Set<String> OF_OTHER_PLACES = Set.of("targetResource", "cooldownRemaining", "at", "until");

    @ParameterizedTest
    @FieldSource("KINDS")
    void recordAndSchemaHaveTheSameFields(String kind) {
        Map<String, Object> schema = SampleDocuments.parseYaml(SchemaValidator.text(kind));
        List<String> differences = new ArrayList<>();
        compare(kind, SampleDocuments.type(kind), schema, differences);
        assertThat(differences).isEmpty();
    }

    private static void compare(String path, Type type, Map<?, ?> schema, List<String> differences) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            compare(path + "[]", list.getActualTypeArguments()[0], object(schema, "items"), differences);
        } else if (type instanceof Class<?> record && record.isRecord()) {
            Map<?, ?> properties = object(schema, "properties");
            Set<String> names = new TreeSet<>();
            for (RecordComponent component : record.getRecordComponents()) {
                String name = name(component);
                names.add(name);
                String at = path + "." + name;
                if (properties.get(name) instanceof Map<?, ?> property) {
                    compare(at, component.getGenericType(), property, differences);
                } else if (!name.equals("other") && !isAllowed(path, at, name, properties)) {
                    differences.add(at + " is not in the schema");
                }
            }
            properties.keySet().stream()
                    .filter(name -> !names.contains(String.valueOf(name)))
                    .forEach(name -> differences.add(path + "." + name + " is not in the record"));
        } else {
            String expected = jsonType(type);
            Object given = schema.get("type");
            if (given != null && !expected.equals(given)) {
                differences.add(path + " is " + expected + " in the record and " + given + " in the schema");
            }
        }
    }

    private static boolean isAllowed(String path, String at, String name, Map<?, ?> properties) {
        return NOT_IN_SCHEMA.containsKey(at)
                || NOT_IN_SCHEMA.containsKey(path + ".*")
                || (!properties.isEmpty() && OF_OTHER_PLACES.contains(name));
    }

    private static String name(RecordComponent component) {
        JsonProperty renamed = component.getAccessor().getAnnotation(JsonProperty.class);
        return renamed == null ? component.getName() : renamed.value();
    }

    private static String jsonType(Type type) {
        if (type instanceof ParameterizedType) {
            return "object";
        } else if (type == Integer.class || type == Long.class || type == int.class) {
            return "integer";
        } else if (type == Double.class) {
            return "number";
        }
        return type == Boolean.class ? "boolean" : "string";
    }

    private static Map<?, ?> object(Map<?, ?> schema, String keyword) {
        return schema.get(keyword) instanceof Map<?, ?> map ? map : Map.of();
    }
}
