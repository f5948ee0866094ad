package dev.escapement.kubernetes.resource;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Between resources and documents. */
final class Maps {

    private Maps() {}

    static Map<String, Object> metadata(ObjectMeta meta) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        put(metadata, "name", meta.getName());
        put(metadata, "namespace", meta.getNamespace());
        put(metadata, "uid", meta.getUid());
        put(metadata, "creationTimestamp", meta.getCreationTimestamp());
        put(metadata, "labels", meta.getLabels());
        put(metadata, "annotations", meta.getAnnotations());
        return metadata;
    }

    /** The client leaves fields null that the API server did not send. */
    @SuppressWarnings("NullAway")
    static void put(Map<String, Object> map, String key, Object value) {
        Optional.ofNullable(value).ifPresent(given -> map.put(key, given));
    }

    /** The object under a key of a document that our own code has written. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> part(Map<String, Object> document, String key) {
        return new LinkedHashMap<>((Map<String, Object>) document.getOrDefault(key, Map.of()));
    }
}
