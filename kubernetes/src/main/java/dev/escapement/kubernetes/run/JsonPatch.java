package dev.escapement.kubernetes.run;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An immutable JSON Patch: all its operations are applied together, and none if a test fails. */
public final class JsonPatch {

    private final List<Map<String, Object>> operations;

    private JsonPatch(List<Map<String, Object>> operations) {
        this.operations = operations;
    }

    /** Returns a patch that is applied only to the object with this uid, not to another one of the same name. */
    public static JsonPatch of(String uid) {
        return new JsonPatch(List.of()).test("/metadata/uid", uid);
    }

    /** Adds a condition: the patch is applied only if this is the value. */
    public JsonPatch test(String path, Object value) {
        return append("test", path, Map.of("value", value));
    }

    /** Sets a value, whether it exists or not. */
    public JsonPatch set(String path, Object value) {
        return append("add", path, Map.of("value", value));
    }

    public JsonPatch remove(String path) {
        return append("remove", path, Map.of());
    }

    /** Sets an annotation. The object must already have annotations. */
    public JsonPatch annotate(String key, String value) {
        return set("/metadata/annotations/" + key.replace("~", "~0").replace("/", "~1"), value);
    }

    public String toJson() {
        return Serialization.asJson(operations);
    }

    private JsonPatch append(String operation, String path, Map<String, Object> rest) {
        Map<String, Object> added = new LinkedHashMap<>(Map.of("op", operation, "path", path));
        added.putAll(rest);
        List<Map<String, Object>> next = new ArrayList<>(operations);
        next.add(added);
        return new JsonPatch(next);
    }
}
