package dev.escapement.kubernetes.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.common.Json;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Versioned;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stores the position as a ConfigMap that people can read. Every write is a compare-and-set. */
record AuditPositionMap(KubernetesClient client, String namespace) {

    static final String NAME = "escapement-audit-sink";

    private static final String POSITION = "journal-position";
    private static final String BATCHES = "stored-batches";
    private static final String OFFSET = "delivered-of-first-batch";
    private static final String RECORDED_UNTIL = "recorded-until";
    private static final String NEXT_LETTER = "next-dead-letter";
    private static final String LETTERS = "dead-letters";

    /** Returns the initial position if there is no ConfigMap. */
    Versioned<AuditPosition> read() {
        return Optional.ofNullable(client.configMaps()
                        .inNamespace(namespace)
                        .withName(NAME)
                        .get())
                .map(AuditPositionMap::parse)
                .orElseGet(() -> new Versioned<>(AuditPosition.INITIAL, Versioned.ABSENT));
    }

    /** Writes the position on condition that it is still the expected one. Returns empty if it is not. */
    Optional<Versioned<AuditPosition>> write(Versioned<AuditPosition> expected, AuditPosition next) {
        boolean absent = expected.version().equals(Versioned.ABSENT);
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(NAME)
                .withResourceVersion(absent ? null : expected.version())
                .addToLabels("app.kubernetes.io/part-of", "escapement")
                .endMetadata()
                .withData(toData(next))
                .build();
        try {
            ConfigMap written = absent
                    ? client.resource(map).create()
                    : client.resource(map).update();
            return Optional.of(new Versioned<>(next, written.getMetadata().getResourceVersion()));
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                    || refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private static Map<String, String> toData(AuditPosition position) {
        Map<String, String> data = new LinkedHashMap<>();
        data.put(POSITION, position.journalPosition());
        data.put(RECORDED_UNTIL, position.recordedUntil().toString());
        data.put(OFFSET, Integer.toString(position.offset()));
        data.put(NEXT_LETTER, Long.toString(position.nextLetter()));
        data.put(
                BATCHES,
                lines(position.batches().stream()
                        .map(batch -> Json.write(Map.of(
                                "name",
                                batch.name(),
                                "records",
                                batch.records(),
                                "oldest",
                                batch.oldest().toString())))
                        .toList()));
        data.put(
                LETTERS,
                lines(position.letters().stream().map(AuditPositionMap::toLine).toList()));
        return data;
    }

    private static String lines(List<String> lines) {
        return String.join("\n", lines);
    }

    private static String toLine(RefusedRecord letter) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("sequence", letter.sequence());
        fields.put("status", letter.status());
        fields.put("error", letter.error());
        fields.put("refused_at", letter.refusedAt().toString());
        fields.put("replay_requested", letter.replayRequested());
        fields.put("record", Json.read(letter.document(), JsonNode.class));
        return Json.write(fields);
    }

    /**
     * Reads what {@link #write} has written.
     *
     * @throws IllegalStateException if it was changed by hand so that it cannot be read
     */
    private static Versioned<AuditPosition> parse(ConfigMap map) {
        Map<String, String> data = Optional.ofNullable(map.getData()).orElseGet(Map::of);
        try {
            List<AuditPosition.Batch> batches = new ArrayList<>();
            data.getOrDefault(BATCHES, "")
                    .lines()
                    .filter(line -> !line.isBlank())
                    .forEach(line -> {
                        JsonNode batch = Json.read(line, JsonNode.class);
                        batches.add(new AuditPosition.Batch(
                                batch.path("name").asText(),
                                batch.path("records").asInt(),
                                Instant.parse(batch.path("oldest").asText())));
                    });
            List<RefusedRecord> letters = data.getOrDefault(LETTERS, "")
                    .lines()
                    .filter(line -> !line.isBlank())
                    .map(AuditPositionMap::toLetter)
                    .toList();
            AuditPosition position = new AuditPosition(
                    data.getOrDefault(POSITION, Journal.START),
                    batches,
                    Integer.parseInt(data.getOrDefault(OFFSET, "0")),
                    Instant.parse(data.getOrDefault(RECORDED_UNTIL, Instant.EPOCH.toString())),
                    Long.parseLong(data.getOrDefault(NEXT_LETTER, "1")),
                    letters);
            return new Versioned<>(position, map.getMetadata().getResourceVersion());
        } catch (RuntimeException invalid) {
            throw new IllegalStateException(
                    "ConfigMap %s cannot be read: restore it, or delete it to send all records again".formatted(NAME),
                    invalid);
        }
    }

    private static RefusedRecord toLetter(String line) {
        JsonNode letter = Json.read(line, JsonNode.class);
        return new RefusedRecord(
                letter.path("sequence").asLong(),
                letter.path("status").asInt(),
                letter.path("error").asText(),
                Instant.parse(letter.path("refused_at").asText()),
                letter.path("replay_requested").asBoolean(),
                Json.write(letter.path("record")));
    }
}
