package dev.escapement.crashtests.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What people do through the operator. It may be gone, or frozen, at any moment. */
final class OperatorApiClient {

    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    boolean cancel(int port, String namespace, String name) throws IOException, InterruptedException {
        String path = "/api/v1/executions/%s/cancel?namespace=%s".formatted(name, namespace);
        return send(port, "POST", path, "{\"by\":\"cluster-crash-test\"}").statusCode() == 200;
    }

    boolean delete(int port, String namespace, String name) throws IOException, InterruptedException {
        String path = "/api/v1/executions/%s?namespace=%s".formatted(name, namespace);
        return send(port, "DELETE", path, "").statusCode() == 200;
    }

    /** Clears every target that is blocked or failing and that nobody holds. Returns how many it were. */
    int clearFailingTargets(int port) throws IOException, InterruptedException {
        int cleared = 0;
        for (String target : failingTargets(port)) {
            String body = JSON.writeValueAsString(
                    Map.of("target", target, "by", "cluster-crash-test", "reason", "nothing runs there any more"));
            if (send(port, "POST", "/api/v1/targets/clear", body).statusCode() == 200) {
                cleared++;
            }
        }
        return cleared;
    }

    private List<String> failingTargets(int port) throws IOException, InterruptedException {
        List<String> found = new ArrayList<>();
        JsonNode list = JSON.readTree(
                send(port, "GET", "/api/v1/targets?state=failing", "").body());
        for (JsonNode target : list.path("items")) {
            if (!target.path("status").path("state").asText().equals("Held")) {
                found.add(target.path("spec").path("targetResource").asText());
            }
        }
        return found;
    }

    private HttpResponse<String> send(int port, String method, String path, String body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(TIMEOUT)
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
