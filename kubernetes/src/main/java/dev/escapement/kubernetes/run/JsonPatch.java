package dev.escapement.kubernetes.run;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Changes that are made together, and only if every test holds. */
public final class JsonPatch {

    private final List<Map<String, Object>> operations;

    private JsonPatch(List<Map<String, Object>> operations) {
        this.operations = operations;
    }

    /** A patch of that very object, whatever else has its name by now. */
    public static JsonPatch of(String uid) {
        return new JsonPatch(List.of()).test("/metadata/uid", uid);
    }

    /** Nothing is changed unless this is the value. */
    public JsonPatch test(String path, Object value) {
        return append("test", path, Map.of("value", value));
    }

    /** Sets the value, whether there is one or not. */
    public JsonPatch set(String path, Object value) {
        return append("add", path, Map.of("value", value));
    }

    /** Removes the value. */
    public JsonPatch remove(String path) {
        return append("remove", path, Map.of());
    }

    /** Sets an annotation of an object that has annotations. */
    public JsonPatch annotate(String key, String value) {
        return set("/metadata/annotations/" + key.replace("~", "~0").replace("/", "~1"), value);
    }

    /** As the API server takes it. */
    public String toJson() {
        return Serialization.asJson(operations);
    }

    private JsonPatch append(String operation, String path, Map<String, Object> rest) {
        Map<String, Object> change = new LinkedHashMap<>(Map.of("op", operation, "path", path));
        change.putAll(rest);
        List<Map<String, Object>> all = new ArrayList<>(operations);
        all.add(change);
        return new JsonPatch(all);
    }
}
