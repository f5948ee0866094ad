package dev.escapement.engine.document;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Writes one object of a document. What is empty is left out, as Kubernetes does. */
final class DocumentTree {

    private final Map<String, Object> fields = new LinkedHashMap<>();

    DocumentTree put(String key, Object value) {
        boolean nothing =
                (value instanceof String text && text.isEmpty()) || (value instanceof Map<?, ?> map && map.isEmpty());
        if (!nothing) {
            fields.put(key, value instanceof Instant instant ? instant.toString() : value);
        }
        return this;
    }

    DocumentTree put(String key, Optional<?> value) {
        value.ifPresent(given -> put(key, given));
        return this;
    }

    DocumentTree put(String key, DocumentTree object) {
        return put(key, object.fields);
    }

    Map<String, Object> fields() {
        return fields;
    }
}
