package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.common.Json;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A real server on a folder of its own with a few workflows, and a client for it. */
public final class TestServer implements AutoCloseable {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final StandaloneServer server;
    private final Path folder;
    private final HttpClient client = HttpClient.newHttpClient();

    private TestServer(StandaloneServer server, Path folder) {
        this.server = server;
        this.folder = folder;
    }

    public static TestServer start(Path folder) {
        return start(folder, Map.of());
    }

    /** Starts it with additional settings, by key. */
    public static TestServer start(Path folder, Map<String, String> more) {
        return new TestServer(StandaloneServer.start(settings(folder, more)), folder);
    }

    /** Runs workflows with another runner, and scans unfinished executions at another interval. */
    static TestServer start(
            Path folder, StandaloneServer.RunnerFactory runnerFactory, Duration unfinishedScanInterval) {
        return new TestServer(
                new StandaloneServer(settings(folder, Map.of()), Optional.of(runnerFactory), unfinishedScanInterval),
                folder);
    }

    public static Settings settings(Path folder, Map<String, String> more) {
        writeWorkflows(folder.resolve("workflows"));
        if (!more.containsKey("database") && !more.containsKey("data")) {
            writeDatabase(folder.resolve("data"));
        }
        Map<String, String> flags = new HashMap<>(Map.of(
                "data",
                folder.resolve("data").toString(),
                "workflows",
                folder.resolve("workflows").toString(),
                "port",
                "0",
                "log-level",
                "warn"));
        flags.putAll(more);
        // Most tests are not about tokens.
        if (more.keySet().stream().noneMatch(key -> key.startsWith("token"))) {
            flags.putIfAbsent("authentication", "none");
        }
        return SettingsReader.read(new SettingsSources(flags, Map.of(), folder, folder));
    }

    /** A server does not migrate the database that it finds, so that it starts sooner. */
    private static void writeDatabase(Path data) {
        try {
            if (!Files.exists(data)) {
                Files.createDirectories(data, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
                DatabaseKind.copySqliteTemplate(data.resolve("escapement.db"));
            }
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    private static void writeWorkflows(Path workflows) {
        Map.of(
                        "ok", "[\"true\"]",
                        "fails", "[sh, -c, \"echo going wrong; exit 3\"]",
                        "cannot-start", "[no-such-program-anywhere]",
                        "greets", "[sh, -c, \"echo hello $WHO on $TARGET_RESOURCE\"]",
                        "waits",
                                "[sh, -c, \"echo waiting; for i in $(seq 1800); do [ -e \\\"$GATE\\\" ] && exit; sleep 0.1; done\"]")
                .forEach((id, command) -> writeFile(
                        workflows.resolve(id + ".yaml"),
                        "id: %s\ndescription: for tests\nparameters:\n".formatted(id)
                                + "  - {name: WHO, type: string, default: world}\n"
                                + "  - {name: COUNT, type: integer, default: \"1\"}\n"
                                + "  - {name: GATE, type: string, default: /}\n"
                                + "tasks:\n  - {name: only, command: " + command + "}\n"));
    }

    private static void writeFile(Path file, String text) {
        try {
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    public URI address() {
        return server.address();
    }

    public URI loginAddress() {
        return server.loginAddress();
    }

    public Path folder() {
        return folder;
    }

    /** A response. */
    public record ServerResponse(int status, JsonNode body, HttpResponse<String> raw) {

        public String message() {
            return body.at("/error/message").asText();
        }

        public String text(String pointer) {
            return body.at(pointer).asText();
        }
    }

    public HttpRequest.Builder request(String path) {
        if (server.address().getPort() < 0) {
            throw new AssertionError("the server does not listen, it is restarting");
        }
        return HttpRequest.newBuilder(server.address().resolve(path)).timeout(TIMEOUT);
    }

    public ServerResponse send(HttpRequest request) {
        try {
            HttpResponse<String> raw = client.send(request, BodyHandlers.ofString());
            boolean json = raw.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
            return new ServerResponse(
                    raw.statusCode(), json ? MAPPER.readTree(raw.body()) : MAPPER.createObjectNode(), raw);
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError("no response from " + request.uri(), failure);
        }
    }

    /** Returns whether it can be reached now. */
    public boolean isReachable() {
        try {
            return client.send(request("/health/ready").build(), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException | InterruptedException | AssertionError notNow) {
            return false;
        }
    }

    public ServerResponse get(String path) {
        return send(request(path).GET().build());
    }

    public ServerResponse delete(String path) {
        return send(request(path).DELETE().build());
    }

    public ServerResponse post(String path, String json) {
        return post(path, json, "application/json");
    }

    public ServerResponse post(String path, String body, String type) {
        return send(request(path)
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    public ServerResponse put(String path, String json) {
        return sendJson("PUT", path, json);
    }

    public ServerResponse patch(String path, String json) {
        return sendJson("PATCH", path, json);
    }

    private ServerResponse sendJson(String method, String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(json))
                .build());
    }

    /** Adds an endpoint, which must be accepted. */
    public ServerResponse createEndpoint(String name, Map<String, Object> more) {
        Map<String, Object> document = new HashMap<>(more);
        document.put("name", name);
        ServerResponse answer = post("/api/v1/endpoints", Json.write(document));
        assertThat(answer.status()).describedAs(answer.raw().body()).isEqualTo(201);
        return answer;
    }

    /** Waits until an endpoint satisfies the condition. */
    public ServerResponse awaitEndpoint(
            String name, String what, java.util.function.Predicate<ServerResponse> condition) {
        return ConditionPoller.await(
                "endpoint " + name + " " + what, () -> get("/api/v1/endpoints/" + name), condition);
    }

    /** Returns the document of an execution; with an empty name the server generates one. */
    public static String executionJson(String name, String workflow, String target, Map<String, String> parameters) {
        return Json.write(Map.of(
                "apiVersion",
                "kubernaut.ai/v1alpha1",
                "kind",
                "WorkflowExecution",
                "metadata",
                name.isEmpty() ? Map.of() : Map.of("name", name),
                "spec",
                Map.of(
                        "workflowRef",
                        Map.of("workflowId", workflow),
                        "targetResource",
                        target,
                        "parameters",
                        parameters)));
    }

    /** Creates an execution, which must be accepted. */
    public ServerResponse createExecution(String name, String workflow, String target, Map<String, String> parameters) {
        ServerResponse answer = post("/api/v1/executions", executionJson(name, workflow, target, parameters));
        assertThat(answer.status()).describedAs(answer.raw().body()).isEqualTo(201);
        return answer;
    }

    /** Waits for the execution to reach one of these phases. */
    public ServerResponse awaitPhase(String name, String... phases) {
        return ConditionPoller.await(
                name + " is " + Set.of(phases),
                () -> get("/api/v1/executions/" + name),
                answer -> Set.of(phases).contains(answer.text("/status/phase")));
    }

    @Override
    public void close() {
        server.close();
    }
}
