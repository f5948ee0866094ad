package dev.escapement.kubernetes.resource;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Between resources and documents. */
final class ResourceMaps {

    private ResourceMaps() {}

    static Map<String, Object> metadata(ObjectMeta meta) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        putIfPresent(metadata, "name", meta.getName());
        putIfPresent(metadata, "namespace", meta.getNamespace());
        putIfPresent(metadata, "uid", meta.getUid());
        putIfPresent(metadata, "creationTimestamp", meta.getCreationTimestamp());
        putIfPresent(metadata, "labels", meta.getLabels());
        putIfPresent(metadata, "annotations", meta.getAnnotations());
        return metadata;
    }

    /** The client leaves fields null that the API server did not send. */
    @SuppressWarnings("NullAway")
    static void putIfPresent(Map<String, Object> map, String key, Object value) {
        Optional.ofNullable(value).ifPresent(given -> map.put(key, given));
    }

    /** The object under a key of a document that our own code has written. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> section(Map<String, Object> document, String key) {
        return new LinkedHashMap<>((Map<String, Object>) document.getOrDefault(key, Map.of()));
    }
}
