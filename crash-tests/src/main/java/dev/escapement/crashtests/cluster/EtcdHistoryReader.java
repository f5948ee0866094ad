package dev.escapement.crashtests.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.crashtests.cluster.judge.EtcdChange;
import dev.escapement.crashtests.cluster.judge.EtcdObjectKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads every write since the start of the cluster, with a watch of etcd from the first revision. */
final class EtcdHistoryReader {

    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final List<String> KEY_PREFIXES =
            List.of("/registry/kubernaut.ai", "/registry/tekton.dev/pipelineruns", "/registry/jobs");

    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;

    EtcdHistoryReader(String address) {
        this.address = address;
    }

    List<EtcdChange> readHistory() throws IOException, InterruptedException {
        List<EtcdChange> all = new ArrayList<>();
        for (String folder : KEY_PREFIXES) {
            all.addAll(readHistory(folder));
        }
        return all;
    }

    /**
     * Writes a marker key first, because a watch has no end. The key is beside the folder, where no API server reads;
     * it sorts after the name of the folder and before its content.
     */
    private List<EtcdChange> readHistory(String folder) throws IOException, InterruptedException {
        String marker = folder + ".end";
        send("/v3/kv/put", Map.of("key", encode(marker), "value", encode("end")));
        HttpResponse<Stream<String>> response = http.send(
                request(
                        "/v3/watch",
                        Map.of(
                                "create_request",
                                Map.of(
                                        "key",
                                        encode(folder),
                                        "range_end",
                                        encode(folder + "0"),
                                        "start_revision",
                                        "1"))),
                HttpResponse.BodyHandlers.ofLines());
        try (Stream<String> lines = response.body()) {
            return readUntilMarker(lines.iterator(), marker);
        }
    }

    private static List<EtcdChange> readUntilMarker(Iterator<String> lines, String marker) throws IOException {
        List<EtcdChange> changes = new ArrayList<>();
        Map<String, JsonNode> states = new HashMap<>();
        while (lines.hasNext()) {
            JsonNode message = JSON.readTree(lines.next());
            if (message.path("result").path("canceled").asBoolean() || message.has("error")) {
                throw new IOException("etcd returned no history: " + message);
            }
            for (JsonNode event : message.path("result").path("events")) {
                String key = decode(event.path("kv").path("key"));
                if (key.equals(marker)) {
                    return changes;
                }
                EtcdObjectKind.of(key).ifPresent(kind -> changes.add(toChange(kind, key, event, states)));
            }
        }
        throw new IOException("the watch ended before " + marker);
    }

    private static EtcdChange toChange(EtcdObjectKind kind, String key, JsonNode event, Map<String, JsonNode> states) {
        boolean deleted = event.path("type").asText().equals("DELETE");
        JsonNode after = deleted
                ? MissingNode.getInstance()
                : retainJudgedFields(kind, decode(event.path("kv").path("value")));
        JsonNode before = states.put(key, after);
        return new EtcdChange(
                event.path("kv").path("mod_revision").asLong(),
                kind,
                kind.objectPath(key),
                before == null ? MissingNode.getInstance() : before,
                after);
    }

    /** Removes fields that no check uses: every revision of a run contains all its steps. */
    private static JsonNode retainJudgedFields(EtcdObjectKind kind, String text) {
        try {
            JsonNode object = JSON.readTree(text);
            if (object.path("metadata") instanceof ObjectNode metadata) {
                metadata.remove("managedFields");
            }
            if (kind == EtcdObjectKind.RUN && object.path("spec") instanceof ObjectNode spec) {
                spec.retain("status", "suspend");
            }
            if (kind == EtcdObjectKind.RUN && object.path("status") instanceof ObjectNode status) {
                status.retain("conditions", "startTime", "completionTime");
            }
            return object;
        } catch (JsonProcessingException foreign) {
            throw new IllegalStateException("etcd contains a value that is not JSON: " + text, foreign);
        }
    }

    private void send(String path, Map<String, ?> body) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request(path, body), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("unexpected response of etcd: HTTP " + response.statusCode() + " " + response.body());
        }
    }

    private HttpRequest request(String path, Map<String, ?> body) throws IOException {
        return HttpRequest.newBuilder(URI.create(address + path))
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decode(JsonNode text) {
        return new String(Base64.getDecoder().decode(text.asText()), StandardCharsets.UTF_8);
    }
}
