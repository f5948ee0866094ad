package dev.escapement.crashtests.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Talks to a server that may be gone at any moment. */
final class StandaloneApiClient {

    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String baseUrl;

    StandaloneApiClient(int port) {
        this.baseUrl = "http://127.0.0.1:" + port;
    }

    /** What came back. */
    record Response(int status, JsonNode body) {}

    Response create(String name, String workflow, String target, Map<String, String> parameters)
            throws IOException, InterruptedException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("apiVersion", "kubernaut.ai/v1alpha1");
        document.put("kind", "WorkflowExecution");
        document.put("metadata", Map.of("name", name));
        document.put(
                "spec",
                Map.of(
                        "workflowRef",
                        Map.of("workflowId", workflow),
                        "targetResource",
                        target,
                        "parameters",
                        parameters));
        return send("POST", "/api/v1/executions", JSON.writeValueAsString(document));
    }

    Response cancel(String name) throws IOException, InterruptedException {
        return send("POST", "/api/v1/executions/" + name + "/cancel", "{\"by\":\"crash-test\"}");
    }

    Response delete(String name) throws IOException, InterruptedException {
        return send("DELETE", "/api/v1/executions/" + name, "");
    }

    Response clear(String target) throws IOException, InterruptedException {
        return send(
                "POST",
                "/api/v1/targets/clear",
                JSON.writeValueAsString(
                        Map.of("target", target, "by", "crash-test", "reason", "the witness shows that it ended")));
    }

    List<JsonNode> list(String path) throws IOException, InterruptedException {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            String more = token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
            Response answer = send("GET", path + more, "");
            if (answer.status() != 200) {
                throw new IOException(path + " answers " + answer);
            }
            answer.body().path("items").forEach(items::add);
            token = answer.body().path("metadata").path("continue").asText("");
        } while (!token.isEmpty());
        return items;
    }

    /** The journal as the live events tell it from their beginning, until the request of that execution. */
    List<JsonNode> readJournalUntil(String marker) throws IOException, InterruptedException {
        List<JsonNode> told = new ArrayList<>();
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + "/api/v1/events?after="))
                .build();
        HttpResponse<Stream<String>> response = http.send(request, HttpResponse.BodyHandlers.ofLines());
        try (Stream<String> lines = response.body()) {
            var each = lines.iterator();
            String event = "";
            while (each.hasNext()) {
                String line = each.next();
                if (line.startsWith("event:")) {
                    event = line.substring(6).strip();
                } else if (line.startsWith("data:") && !event.equals("Progress")) {
                    JsonNode transition = JSON.readTree(line.substring(5));
                    if (StandaloneJudge.executionName(transition).equals(marker)) {
                        return told;
                    }
                    told.add(transition);
                }
            }
        } catch (UncheckedIOException cut) {
            throw cut.getCause();
        }
        throw new IOException("the events ended before " + marker);
    }

    private Response send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + path))
                .timeout(REQUEST_TIMEOUT)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return new Response(response.statusCode(), parse(response.body()));
        } catch (HttpTimeoutException slow) {
            throw new IOException("no answer within " + REQUEST_TIMEOUT, slow);
        }
    }

    private static JsonNode parse(String body) {
        try {
            return body.isBlank() ? JSON.nullNode() : JSON.readTree(body);
        } catch (IOException text) {
            return JSON.getNodeFactory().textNode(body);
        }
    }
}
