package dev.escapement.notifications.audit;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes entries as lines of an export. Takes trees, so that fields of a newer server are kept. */
public final class AuditLines {

    private static final String TYPE_PREFIX = "dev.escapement.audit.";

    private AuditLines() {}

    /** Returns the line of an entry, which {@link ChainEntry#fromLine} reads. */
    public static String toLine(Map<String, Object> entry) {
        return ChainEntry.canonicalText(entry);
    }

    /** Returns the record of an entry as a CloudEvent 1.0 in JSON. */
    public static String toCloudEvent(Map<String, Object> entry) {
        Map<?, ?> record = entry.get("record") instanceof Map<?, ?> map ? map : Map.of();
        Map<String, Object> event = new TreeMap<>();
        event.put("specversion", "1.0");
        event.put("id", text(record, "id"));
        event.put("source", "escapement");
        event.put("type", TYPE_PREFIX + text(record, "event_type"));
        event.put("time", text(record, "occurred_at"));
        event.put("subject", text(record, "target_resource"));
        event.put("datacontenttype", "application/json");
        event.put("data", record);
        return ChainEntry.canonicalText(event);
    }

    private static String text(Map<?, ?> record, String key) {
        return Optional.ofNullable(record.get(key)).map(String::valueOf).orElse("");
    }
}
