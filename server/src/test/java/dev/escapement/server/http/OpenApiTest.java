package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.api.ObjectMetadata.OwnerReference;
import dev.escapement.api.workflow.WorkflowCatalogue;
import dev.escapement.common.Json;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.SqlEndpointStore;
import dev.escapement.engine.contract.ExecutionGenerator;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.contract.LedgerEntryGenerator;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionMetadata;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.engine.mapping.TargetMapper;
import dev.escapement.engine.mapping.TargetState;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.notifications.store.NotificationStore;
import dev.escapement.server.StubHttpServer;
import dev.escapement.server.config.ReloadablePolicy;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.http.access.AccessMatrix;
import dev.escapement.server.http.access.Authenticator;
import dev.escapement.server.http.access.Right;
import dev.escapement.server.http.audit.AuditRouteContext;
import dev.escapement.server.http.audit.AuditRoutes;
import dev.escapement.server.http.endpoint.EndpointRouteContext;
import dev.escapement.server.http.execution.ExecutionRoutes;
import dev.escapement.server.http.notification.NotificationRoutes;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.OpenApiDocument;
import dev.escapement.server.http.system.SystemRoutes;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.storage.Database;
import dev.escapement.testkit.Property;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the OpenAPI document with the routes of the server and the fields of its documents. */
class OpenApiTest {

    private static final ObjectMapper JSON = new JsonMapper();
    private static final Set<String> NON_API_PATHS = Set.of("/", "/docs", "/openapi.yaml", "/favicon.ico");

    private final JsonNode description;

    OpenApiTest() throws IOException {
        description = OpenApiDocument.build();
    }

    @Test
    void describesExactlyTheRoutes(@TempDir Path folder) {
        Set<String> described = new TreeSet<>();
        description
                .path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    if (!operation.getKey().equals("parameters")) {
                        described.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
                    }
                }));
        Set<String> routes = new TreeSet<>();
        for (Route route : routes(folder)) {
            if (!NON_API_PATHS.contains(route.path())) {
                routes.add(route.method().name() + " " + route.path());
            }
        }
        assertThat(described).isEqualTo(routes);
    }

    @Test
    void guideListsRightOfEveryRoute(@TempDir Path folder) throws IOException {
        Map<String, Set<Right>> expected = new TreeMap<>();
        for (Route route : routes(folder)) {
            route.right()
                    .ifPresent(right ->
                            expected.put(route.method().name() + " " + route.path(), EnumSet.of(right, Right.ADMIN)));
        }
        Map<String, Set<Right>> listed = new TreeMap<>();
        for (AccessMatrix.Operation operation : AccessMatrix.read()) {
            listed.put(operation.method() + " " + operation.path(), operation.rights());
        }
        assertThat(listed).isEqualTo(expected);
    }

    /** A route without a right is open to every caller. */
    @Test
    void onlyPagesProbesAndSessionNeedNoRight(@TempDir Path folder) {
        Set<String> open = new TreeSet<>();
        for (Route route : routes(folder)) {
            if (route.right().isEmpty() && !NON_API_PATHS.contains(route.path())) {
                open.add(route.method().name() + " " + route.path());
            }
        }
        assertThat(open)
                .containsExactly(
                        "GET /api/v1/session", "GET /health/live", "GET /health/ready", "POST /api/v1/session");
    }

    private static List<Route> routes(Path folder) {
        try (Database database = Database.openSqlite(folder.resolve("routes.db"));
                ResponseStreams streams = new ResponseStreams()) {
            ReloadablePolicy policy =
                    new ReloadablePolicy(TestServer.settings(folder, Map.of()), InstantSource.system());
            ExecutionRoutes.Backend executions = new ExecutionRoutes.Backend(
                    database.store(),
                    database.queries(),
                    new ExecutionService(database.store(), database.queries(), policy),
                    (run, from, limit) -> new RunLogs.Chunk("", 0, true),
                    work -> {},
                    UnaryOperator.identity(),
                    execution -> {});
            WorkflowLookup workflows = new WorkflowLookup(() -> new WorkflowCatalogue(List.of(), List.of(), null));
            EndpointRouteContext endpoints = new EndpointRouteContext(
                    new EndpointService(
                            SqlEndpointStore.open(database, 1),
                            new EndpointPlanner(RunPlanner.withDefaultJitter()),
                            () -> "id"),
                    AllowList.parse(""),
                    database.queries(),
                    false);
            RestServer.Dependencies dependencies = new RestServer.Dependencies(
                    executions,
                    Optional.of(endpoints),
                    new AuditRoutes(AuditRouteContext.of(database)).routes(),
                    Optional.of(new NotificationRoutes(
                            new NotificationStore(database.backend()),
                            TreeSet::new,
                            (channel, actor, now) -> Optional.empty())),
                    new SystemRoutes(
                            workflows,
                            policy,
                            policy::document,
                            new HealthChecks(List.of(), List.of(), System::nanoTime),
                            () -> ""),
                    new JournalFeed(database.journal(), ""),
                    InstantSource.system());
            return RestServer.routes(dependencies, Authenticator.open(), streams);
        }
    }

    @Test
    void describesExactlyTheFieldsOfExecutionsAndTargets() {
        Set<String> executions = new TreeSet<>();
        Set<String> targets = new TreeSet<>();
        collectFields("", toTree(ExecutionMapper.toDocument(ownedExecution(), "7")), executions);
        Property.forAll(2_000, gen -> {
            collectFields("", toTree(ExecutionMapper.toDocument(ExecutionGenerator.generate(gen, 1), "7")), executions);
            TargetState state = new TargetState("CoolingDown", Optional.of(Instant.EPOCH));
            collectFields(
                    "",
                    toTree(state.addTo(TargetMapper.toDocument(LedgerEntryGenerator.generate(gen, 1), "7"))),
                    targets);
        });
        assertThat(executions).isSubsetOf(readableFields("WorkflowExecution"));
        assertThat(targets).isSubsetOf(readableFields("RemediationTarget"));
        // By name: not every description of a past execution has all fields.
        Set<String> written = fieldNames(executions);
        written.addAll(fieldNames(targets));
        Set<String> described = fieldNames(readableFields("WorkflowExecution"));
        described.addAll(fieldNames(readableFields("RemediationTarget")));
        assertThat(written).isEqualTo(described);
    }

    @Test
    void everyTypeIsOneOfJsonSchema() {
        Set<String> types = new TreeSet<>();
        description.findValues("type").forEach(type -> {
            if (type.isTextual()) {
                types.add(type.asText());
            } else if (type.isArray()) {
                type.forEach(each -> types.add(each.asText()));
            }
        });
        types.removeAll(Set.of("http", "apiKey")); // the kinds of security schemes
        assertThat(types).containsExactly("array", "boolean", "integer", "null", "number", "object", "string");
    }

    private static Execution ownedExecution() {
        OwnerReference owner = new OwnerReference("v1", "ConfigMap", "owner", "uid-1", true, true, Map.of());
        Execution execution = ExecutionSamples.execution(1);
        return Execution.pending(
                execution.ref(),
                new ExecutionMetadata(
                        Instant.EPOCH,
                        Optional.of("owned-"),
                        new TreeMap<>(),
                        new TreeMap<>(),
                        List.of(owner),
                        List.of("example.org/keep"),
                        ExecutionMetadata.UnknownFields.NONE),
                execution.spec());
    }

    private static Set<String> fieldNames(Set<String> fields) {
        return fields.stream()
                .map(field -> field.replaceAll("(\\.\\*|\\[])$", ""))
                .map(field -> field.substring(field.lastIndexOf('.') + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void responsesHaveOnlyDescribedFields(@TempDir Path folder) {
        try (TestServer server = TestServer.start(folder)) {
            server.createExecution("one", "ok", "node/one", Map.of());
            server.awaitPhase("one", "Completed");
            assertOnlyDescribedFields(
                    "Explanation",
                    server.get("/api/v1/targets/explain?target=node/one&workflow=ok")
                            .body());
            assertOnlyDescribedFields("Policy", server.get("/api/v1/policy").body());
            assertOnlyDescribedFields(
                    "Workflow", server.get("/api/v1/workflows/ok").body());
            assertOnlyDescribedFields("Health", server.get("/health/ready").body());
            assertOnlyDescribedFields("Session", server.get("/api/v1/session").body());
        }
    }

    @Test
    void endpointResponsesHaveOnlyDescribedFieldsAndExamplesWork(@TempDir Path folder) throws IOException {
        try (StubHttpServer sink = new StubHttpServer();
                TestServer server = TestServer.start(folder, Map.of("endpoints.allow", "127.0.0.1"))) {
            sink.setReply("/sick", 500, "no");
            server.createEndpoint(
                    "shop-health",
                    Map.of(
                            "url", sink.url("/sick"),
                            "interval", "1h",
                            "maxInterval", "90m",
                            "headers", Map.of("X-A", "b"),
                            "remediation", Map.of("after", 1, "workflow", "ok", "target", "node/shop")));
            for (String action : List.of("hints", "run", "pause", "resume", "reset-failures")) {
                String path = "/api/v1/endpoints/{name}/" + action;
                TestServer.ServerResponse answer =
                        server.post(path.replace("{name}", "shop-health"), example(path, "post"));
                assertThat(answer.status()).describedAs(action).isBetween(200, 202);
                assertOnlyDescribedFields("EndpointFields", answer.body());
            }
            TestServer.ServerResponse endpoint = server.awaitEndpoint(
                    "shop-health",
                    "was remedied",
                    seen -> seen.text("/status/remediation/executionPhase").equals("Completed"));
            assertOnlyDescribedFields("EndpointFields", endpoint.body());
            assertOnlyDescribedFields(
                    "EndpointExplanation",
                    server.get("/api/v1/endpoints/shop-health/explain").body());
            assertOnlyDescribedFields("Run", server.get("/api/v1/runs").body().at("/items/0"));
            TestServer.ServerResponse patched =
                    server.patch("/api/v1/endpoints/shop-health", example("/api/v1/endpoints/{name}", "patch"));
            assertThat(patched.status()).isEqualTo(200);
            // Only checked: a test must not call external hosts.
            String many = "/api/v1/endpoints/import";
            TestServer.ServerResponse imported = server.post(many + "?dry-run=true", example(many, "post"));
            assertThat(imported.status()).describedAs(imported.raw().body()).isEqualTo(200);
            assertOnlyDescribedFields("Imported", imported.body());
            TestServer.ServerResponse created =
                    server.post(many + "?dry-run=true", example("/api/v1/endpoints", "post"));
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

    private static JsonNode toTree(Object document) {
        try {
            return JSON.readTree(Json.writeBytes(document));
        } catch (IOException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private void assertOnlyDescribedFields(String schema, JsonNode document) {
        Set<String> written = new TreeSet<>();
        collectFields("", document, written);
        assertThat(written).isNotEmpty();
        Set<String> known = readableFields(schema);
        assertThat(written)
                .allMatch(field -> known.contains(field)
                        || known.stream()
                                .anyMatch(open ->
                                        open.endsWith(".*") && field.startsWith(open.substring(0, open.length() - 1))));
    }

    /** Collects the paths of all fields; a map with free keys is one path. */
    private static void collectFields(String at, JsonNode node, Set<String> fields) {
        if (node.isArray()) {
            node.forEach(each -> collectFields(at + "[]", each, fields));
        } else if (node.isObject()) {
            boolean free = at.endsWith("labels") || at.endsWith("annotations") || at.endsWith(".parameters");
            node.properties()
                    .forEach(
                            field -> collectFields(at + "." + (free ? "*" : field.getKey()), field.getValue(), fields));
        } else {
            fields.add(at);
        }
    }

    private Set<String> readableFields(String schema) {
        Set<String> fields = new TreeSet<>();
        collectSchemaFields("", description.at("/components/schemas/" + schema), fields);
        return fields;
    }

    private void collectSchemaFields(String at, JsonNode schema, Set<String> fields) {
        if (schema.path("writeOnly").asBoolean()) {
            return;
        }
        if (schema.has("$ref")) {
            collectSchemaFields(at, description.at(schema.path("$ref").asText().substring(1)), fields);
        } else if (schema.has("properties")) {
            schema.path("properties")
                    .properties()
                    .forEach(field -> collectSchemaFields(at + "." + field.getKey(), field.getValue(), fields));
        } else if (schema.has("items")) {
            collectSchemaFields(at + "[]", schema.path("items"), fields);
        } else if (schema.has("additionalProperties")) {
            fields.add(at + ".*");
        } else {
            fields.add(at);
        }
    }
}
