package dev.escapement.notifications.audit;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.escapement.common.Json;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The columns by which entries are found, each a function of the record. They are not part of the hash.
 *
 * @param occurredAt in microseconds since 1970
 */
record SearchColumns(String id, String type, long occurredAt, String actor, String execution, String target) {

    static final String NAMES = "id, type, occurred_at, actor, execution, target";

    private static final Set<String> FIELDS =
            Set.of("id", "event_type", "occurred_at", "actor", "execution", "target_resource");

    /**
     * Returns the columns of a record.
     *
     * @throws IllegalArgumentException if it is not the JSON of a record
     */
    static SearchColumns of(String document) {
        Map<String, String> fields = readFields(document);
        try {
            return new SearchColumns(
                    key(fields, "id"),
                    key(fields, "event_type"),
                    EpochMicros.of(Instant.parse(fields.getOrDefault("occurred_at", ""))),
                    key(fields, "actor"),
                    key(fields, "execution"),
                    key(fields, "target_resource"));
        } catch (DateTimeException invalid) {
            throw new IllegalArgumentException("occurred_at of the record is not a time", invalid);
        }
    }

    /** Reads only the fields that are needed: a verification does this for a million records. */
    private static Map<String, String> readFields(String document) {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = Json.mapper().createParser(document)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("the record is not a JSON object");
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                if (value == JsonToken.VALUE_STRING && FIELDS.contains(name)) {
                    fields.put(name, parser.getText());
                } else {
                    parser.skipChildren();
                }
            }
        } catch (IOException malformed) {
            throw new IllegalArgumentException("the record is not JSON", malformed);
        }
        return fields;
    }

    private static String key(Map<String, String> fields, String name) {
        return SearchKey.of(fields.getOrDefault(name, ""));
    }

    /** Reads the columns {@link #NAMES}, which begin at the given one. */
    static SearchColumns read(ResultSet row, int first) throws SQLException {
        return new SearchColumns(
                row.getString(first),
                row.getString(first + 1),
                row.getLong(first + 2),
                row.getString(first + 3),
                row.getString(first + 4),
                row.getString(first + 5));
    }

    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", id);
        values.put("type", type);
        values.put("occurred_at", occurredAt);
        values.put("actor", actor);
        values.put("execution", execution);
        values.put("target", target);
        return values;
    }

    /** Returns the name of the first column that differs. */
    Optional<String> findDifference(SearchColumns other) {
        if (equals(other)) {
            return Optional.empty();
        }
        Map<String, Object> others = other.values();
        return values().entrySet().stream()
                .filter(column -> !column.getValue().equals(others.get(column.getKey())))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
