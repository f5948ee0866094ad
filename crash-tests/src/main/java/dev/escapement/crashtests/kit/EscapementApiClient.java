package dev.escapement.crashtests.kit;

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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Calls the REST API of a server or an operator that may be down or hang at any moment; then every method throws an
 * {@link IOException}.
 *
 * @param port on this machine
 * @param actor in whose name executions are cancelled and targets cleared
 * @param timeout of each request
 */
public record EscapementApiClient(int port, String actor, Duration timeout) {

    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    /**
     * A response.
     *
     * @param body null as JSON if the response has none, a text if it is not JSON
     */
    public record Response(int status, JsonNode body) {}

    public Response create(String name, String workflow, String target, Map<String, String> parameters)
            throws IOException, InterruptedException {
        Map<String, Object> document = Map.of(
                "apiVersion",
                "kubernaut.ai/v1alpha1",
                "kind",
                "WorkflowExecution",
                "metadata",
                Map.of("name", name),
                "spec",
                Map.of(
                        "workflowRef", Map.of("workflowId", workflow),
                        "targetResource", target,
                        "parameters", parameters));
        return send("POST", "/api/v1/executions", JSON.writeValueAsString(document));
    }

    /** Returns whether the server accepted the cancellation. */
    public boolean cancel(String namespace, String name) throws IOException, InterruptedException {
        String body = JSON.writeValueAsString(Map.of("by", actor));
        return send("POST", "/api/v1/executions/%s/cancel?namespace=%s".formatted(name, namespace), body)
                        .status()
                == 200;
    }

    /** Returns whether the server accepted the deletion. */
    public boolean delete(String namespace, String name) throws IOException, InterruptedException {
        return send("DELETE", "/api/v1/executions/%s?namespace=%s".formatted(name, namespace), "")
                        .status()
                == 200;
    }

    /**
     * Clears every blocked or failing target that is not held and that the caller accepts.
     *
     * @return how many were cleared
     */
    public int clearFailingTargets(Predicate<String> accepted, String reason) throws IOException, InterruptedException {
        int cleared = 0;
        for (JsonNode target : list("/api/v1/targets?state=failing")) {
            String name = target.path("spec").path("targetResource").asText();
            boolean held = target.path("status").path("state").asText().equals("Held");
            String body = JSON.writeValueAsString(Map.of("target", name, "by", actor, "reason", reason));
            if (!held
                    && accepted.test(name)
                    && send("POST", "/api/v1/targets/clear", body).status() == 200) {
                cleared++;
            }
        }
        return cleared;
    }

    /** Returns the items of all pages. */
    public List<JsonNode> list(String path) throws IOException, InterruptedException {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            String next = token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
            JsonNode page = get(path + next);
            page.path("items").forEach(items::add);
            token = page.path("metadata").path("continue").asText("");
        } while (!token.isEmpty());
        return items;
    }

    /** Returns the journal from its beginning, as the event stream has it, up to the first event of this execution. */
    public List<JsonNode> readJournalUntil(String execution) throws IOException, InterruptedException {
        List<JsonNode> transitions = readJournal(transition -> isOf(transition, execution));
        return transitions.subList(0, transitions.size() - 1);
    }

    /** Returns the journal from its beginning up to and including the failure of this execution. */
    public List<JsonNode> readJournalUntilFailureOf(String execution) throws IOException, InterruptedException {
        return readJournal(transition ->
                isOf(transition, execution) && transition.path("type").asText().equals("WorkflowFailed"));
    }

    private static boolean isOf(JsonNode transition, String execution) {
        return transition.path("execution").path("name").asText().equals(execution);
    }

    /** Returns the journal from its beginning up to and including the first event with this property. */
    private List<JsonNode> readJournal(Predicate<JsonNode> isLast) throws IOException, InterruptedException {
        List<JsonNode> transitions = new ArrayList<>();
        HttpRequest request =
                HttpRequest.newBuilder(uri("/api/v1/events?after=")).build();
        try (Stream<String> lines =
                HTTP.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
            String event = "";
            for (Iterator<String> each = lines.iterator(); each.hasNext(); ) {
                String line = each.next();
                if (line.startsWith("event:")) {
                    event = line.substring(6).strip();
                } else if (line.startsWith("data:") && !event.equals("Progress")) {
                    JsonNode transition = JSON.readTree(line.substring(5));
                    transitions.add(transition);
                    if (isLast.test(transition)) {
                        return transitions;
                    }
                }
            }
        } catch (UncheckedIOException closed) {
            throw closed.getCause();
        }
        throw new IOException("the events ended after " + transitions.size());
    }

    /**
     * Returns the document at a path.
     *
     * @throws IOException also if the response is not 200
     */
    public JsonNode get(String path) throws IOException, InterruptedException {
        Response response = send("GET", path, "");
        if (response.status() != 200) {
            throw new IOException("unexpected response to " + path + ": " + response);
        }
        return response.body();
    }

    private Response send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        return new Response(response.statusCode(), parse(response.body()));
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static JsonNode parse(String body) {
        try {
            return body.isBlank() ? JSON.nullNode() : JSON.readTree(body);
        } catch (IOException notJson) {
            return JSON.getNodeFactory().textNode(body);
        }
    }
}
