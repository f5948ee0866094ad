package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.escapement.endpoints.model.EndpointDocumentReader;
import dev.escapement.endpoints.model.EndpointValidator;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.sql.SqlEndpointStore;
import dev.escapement.engine.contract.ExecutionGenerator;
import dev.escapement.engine.contract.LedgerEntryGenerator;
import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.document.TargetDocument;
import dev.escapement.engine.document.TargetState;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.server.Sink;
import dev.escapement.server.TestServer;
import dev.escapement.server.events.Feed;
import dev.escapement.server.settings.LivePolicy;
import dev.escapement.server.settings.Secret;
import dev.escapement.server.text.Json;
import dev.escapement.storage.Database;
import dev.escapement.testkit.Property;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The description says what the server does: its paths, and the fields of its documents. */
class OpenApiTest {

    private static final ObjectMapper JSON = new JsonMapper();
    private static final Set<String> NOT_OF_THE_API = Set.of("/", "/docs", "/openapi.yaml", "/favicon.ico");

    private final JsonNode description;

    OpenApiTest() throws IOException {
        try (InputStream in = OpenApiTest.class.getResourceAsStream("/dev/escapement/server/page/openapi.yaml")) {
            description = new YAMLMapper().readTree(in);
        }
    }

    @Test
    void everyRouteIsDescribedAndEveryDescriptionIsARoute(@TempDir Path folder) {
        Set<String> described = new TreeSet<>();
        description
                .path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    if (!operation.getKey().equals("parameters")) {
                        described.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
                    }
                }));
        assertThat(described).isEqualTo(routes(folder));
    }

    private static Set<String> routes(Path folder) {
        Set<String> routes = new TreeSet<>();
        try (Database database = Database.openSqlite(folder.resolve("routes.db"));
                Streams streams = new Streams()) {
            LivePolicy policy = new LivePolicy(TestServer.settings(folder, Map.of()), InstantSource.system());
            HttpServer.Parts parts = new HttpServer.Parts(
                    database.store(),
                    database.queries(),
                    new ExecutionService(database.store(), database.queries(), policy),
                    (run, from, limit) -> new RunLogs.Chunk("", 0, true),
                    new Feed(database.journal(), ""),
                    new Workflows() {
                        @Override
                        public Map<String, Object> list() {
                            return Map.of();
                        }

                        @Override
                        public Optional<Map<String, Object>> get(String id) {
                            return Optional.empty();
                        }
                    },
                    policy,
                    new Health(List.of(), List.of(), System::nanoTime),
                    () -> "",
                    work -> {},
                    UnaryOperator.identity(),
                    Optional.of(new EndpointParts(
                            new EndpointService(
                                    SqlEndpointStore.open(database, 1),
                                    new EndpointPlanner(RunPlanner.withDefaultJitter()),
                                    () -> "id"),
                            new EndpointDocumentReader(new AnythingGoes()),
                            (namespace, name) -> Optional.empty())),
                    InstantSource.system());
            for (Route route :
                    HttpServer.routes(parts, new Guard(new Secret("")), new Bodies(1, System::nanoTime), streams)) {
                if (!NOT_OF_THE_API.contains(route.path()) && !route.path().startsWith("/assets/")) {
                    routes.add(route.method().name() + " " + route.path());
                }
            }
        }
        return routes;
    }

    @Test
    void everyFieldOfAnyExecutionOrTargetIsDescribedAndNoOther() {
        Set<String> executions = new TreeSet<>();
        Set<String> targets = new TreeSet<>();
        Property.forAll(2_000, gen -> {
            collect("", tree(ExecutionDocument.write(ExecutionGenerator.generate(gen, 1), "7")), executions);
            TargetState state = new TargetState("CoolingDown", Optional.of(Instant.EPOCH));
            collect("", tree(state.addTo(TargetDocument.write(LedgerEntryGenerator.generate(gen, 1), "7"))), targets);
        });
        assertThat(executions).isSubsetOf(readable("WorkflowExecution"));
        assertThat(targets).isSubsetOf(readable("RemediationTarget"));
        // By name: not every place where a past execution is described has each of its fields.
        Set<String> written = names(executions);
        written.addAll(names(targets));
        Set<String> described = names(readable("WorkflowExecution"));
        described.addAll(names(readable("RemediationTarget")));
        assertThat(written).isEqualTo(described);
    }

    private static Set<String> names(Set<String> fields) {
        return fields.stream()
                .map(field -> field.replaceAll("(\\.\\*|\\[])$", ""))
                .map(field -> field.substring(field.lastIndexOf('.') + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void whatTheServerAnswersHasOnlyDescribedFields(@TempDir Path folder) {
        try (TestServer server = TestServer.start(folder)) {
            server.create("one", "ok", "node/one", Map.of());
            server.await("one", "Completed");
            only(
                    "Explanation",
                    server.get("/api/v1/targets/explain?target=node/one&workflow=ok")
                            .body());
            only("Policy", server.get("/api/v1/policy").body());
            only("Workflow", server.get("/api/v1/workflows/ok").body());
            only("Health", server.get("/health/ready").body());
        }
    }

    @Test
    void whatItAnswersOfEndpointsHasOnlyDescribedFieldsAndItsExamplesWork(@TempDir Path folder) throws IOException {
        try (Sink sink = new Sink();
                TestServer server = TestServer.start(folder, Map.of("endpoints.allow", "127.0.0.1"))) {
            sink.reply("/sick", 500, "no");
            server.endpoint(
                    "shop-health",
                    Map.of(
                            "url", sink.url("/sick"),
                            "interval", "1h",
                            "maxInterval", "90m",
                            "headers", Map.of("X-A", "b"),
                            "remediation", Map.of("after", 1, "workflow", "ok", "target", "node/shop")));
            for (String action : List.of("hints", "run", "pause", "resume", "reset-failures")) {
                String path = "/api/v1/endpoints/{name}/" + action;
                TestServer.Answer answer = server.post(path.replace("{name}", "shop-health"), example(path, "post"));
                assertThat(answer.status()).describedAs(action).isBetween(200, 202);
                only("Endpoint", answer.body());
            }
            TestServer.Answer endpoint = server.awaitEndpoint(
                    "shop-health",
                    "was remedied",
                    seen -> seen.text("/status/remediation/executionPhase").equals("Completed"));
            only("Endpoint", endpoint.body());
            only(
                    "EndpointExplanation",
                    server.get("/api/v1/endpoints/shop-health/explain").body());
            only("Run", server.get("/api/v1/runs").body().at("/items/0"));
            TestServer.Answer patched =
                    server.patch("/api/v1/endpoints/shop-health", example("/api/v1/endpoints/{name}", "patch"));
            assertThat(patched.status()).isEqualTo(200);
            // Only checked: nobody outside is called by a test.
            String many = "/api/v1/endpoints/import";
            TestServer.Answer imported = server.post(many + "?dry-run=true", example(many, "post"));
            assertThat(imported.status()).describedAs(imported.raw().body()).isEqualTo(200);
            only("Imported", imported.body());
            TestServer.Answer created = server.post(many + "?dry-run=true", example("/api/v1/endpoints", "post"));
            assertThat(created.text("/changed/0")).isEqualTo("shop-health");
        }
    }

    private String example(String path, String method) {
        JsonNode body = description.path("paths").path(path).path(method).path("requestBody");
        if (body.has("$ref")) {
            body = description.at(body.path("$ref").asText().substring(1));
        }
        JsonNode example = body.path("content").path("application/json").path("example");
        assertThat(example.isObject()).describedAs(path).isTrue();
        return example.toString();
    }

    private static final class AnythingGoes implements EndpointValidator {
        @Override
        public void checkUrl(String url) {}

        @Override
        public void checkHeader(String name, String value) {}

        @Override
        public void checkSigningKey(String key) {}
    }

    private static JsonNode tree(Map<String, Object> document) {
        try {
            return JSON.readTree(Json.write(document));
        } catch (IOException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private void only(String schema, JsonNode document) {
        Set<String> written = new TreeSet<>();
        collect("", document, written);
        assertThat(written).isNotEmpty();
        Set<String> known = readable(schema);
        assertThat(written)
                .allMatch(field -> known.contains(field)
                        || known.stream()
                                .anyMatch(open ->
                                        open.endsWith(".*") && field.startsWith(open.substring(0, open.length() - 1))));
    }

    /** The paths of all fields; those of free maps are one. */
    private static void collect(String at, JsonNode node, Set<String> fields) {
        if (node.isArray()) {
            node.forEach(each -> collect(at + "[]", each, fields));
        } else if (node.isObject()) {
            boolean free = at.endsWith("labels") || at.endsWith("annotations") || at.endsWith(".parameters");
            node.properties()
                    .forEach(field -> collect(at + "." + (free ? "*" : field.getKey()), field.getValue(), fields));
        } else {
            fields.add(at);
        }
    }

    private Set<String> readable(String schema) {
        Set<String> fields = new TreeSet<>();
        schema("", description.at("/components/schemas/" + schema), fields);
        return fields;
    }

    private void schema(String at, JsonNode schema, Set<String> fields) {
        if (schema.path("writeOnly").asBoolean()) {
            return;
        }
        if (schema.has("$ref")) {
            schema(at, description.at(schema.path("$ref").asText().substring(1)), fields);
        } else if (schema.has("properties")) {
            schema.path("properties")
                    .properties()
                    .forEach(field -> schema(at + "." + field.getKey(), field.getValue(), fields));
        } else if (schema.has("items")) {
            schema(at + "[]", schema.path("items"), fields);
        } else if (schema.has("additionalProperties")) {
            fields.add(at + ".*");
        } else {
            fields.add(at);
        }
    }
}
