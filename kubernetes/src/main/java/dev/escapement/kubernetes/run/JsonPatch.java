package dev.escapement.kubernetes.run;

import dev.escapement.common.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An immutable JSON Patch: all its operations are applied together, and none if a test fails. */
public record JsonPatch(List<Map<String, Object>> operations) {

    /** Returns a patch that is applied only to the object with this uid, not to another one of the same name. */
    public static JsonPatch of(String uid) {
        return new JsonPatch(List.of()).test("/metadata/uid", uid);
    }

    /** Adds a condition: the patch is applied only if this is the value. */
    public JsonPatch test(String path, Object value) {
        return append(Map.of("op", "test", "path", path, "value", value));
    }

    /** Sets a value, whether it exists or not. */
    public JsonPatch set(String path, Object value) {
        return append(Map.of("op", "add", "path", path, "value", value));
    }

    public JsonPatch remove(String path) {
        return append(Map.of("op", "remove", "path", path));
    }

    /** Sets an annotation. The object must already have annotations. */
    public JsonPatch annotate(String key, String value) {
        return set("/metadata/annotations/" + key.replace("~", "~0").replace("/", "~1"), value);
    }

    public String toJson() {
        return Json.write(operations);
    }

    private JsonPatch append(Map<String, Object> operation) {
        return new JsonPatch(
                Stream.concat(operations.stream(), Stream.of(operation)).toList());
    }
}
