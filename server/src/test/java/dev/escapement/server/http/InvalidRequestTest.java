package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Invalid requests get a clear response without internal details, and the server stays available. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InvalidRequestTest {

    private final TestServer server;

    InvalidRequestTest(@TempDir Path folder) {
        server = TestServer.start(folder);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @AfterEach
    void assertServerIsLive() {
        assertThat(server.get("/health/live").status()).isEqualTo(200);
    }

    private ServerResponse assertRefused(int status, String code, ServerResponse answer) {
        assertThat(answer.status()).describedAs(answer.raw().body()).isEqualTo(status);
        assertThat(answer.body().at("/error/status").asInt()).isEqualTo(status);
        assertThat(answer.text("/error/code")).isEqualTo(code);
        assertThat(answer.raw().body())
                .doesNotContain("Exception")
                .doesNotContain("dev.escapement")
                .doesNotContain("\tat ");
        return answer;
    }

    @Test
    void logsDisconnectDuringBodyInOneLine() throws IOException {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Logger bodies = (Logger) LoggerFactory.getLogger("dev.escapement.server.http.transport.BodyReader");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        root.addAppender(lines);
        bodies.setLevel(Level.INFO);
        try {
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), server.address().getPort())) {
                socket.getOutputStream()
                        .write("POST /api/v1/executions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
                                .getBytes(StandardCharsets.US_ASCII));
            }
            ConditionPoller.await("the disconnect is logged", () -> !lines.list.isEmpty());
            assertThat(server.get("/api/v1/policy").status()).isEqualTo(200);
        } finally {
            bodies.setLevel(null);
            root.detachAppender(lines);
        }
        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).startsWith("Body of POST /api/v1/executions is incomplete: ");
            assertThat(line.getLevel()).isEqualTo(Level.INFO);
            assertThat(line.getThrowableProxy()).isNull();
        });
    }

    @Test
    void refusesOversizedBodyWithLimit() {
        String body = "{\"x\":\"" + "y".repeat(10 << 20) + "\"}";
        ServerResponse known = assertRefused(413, "RequestTooLarge", server.post("/api/v1/executions", body));
        assertThat(known.message()).contains("1048576").contains("max-request-size");
    }

    @Test
    void headHasSameStatusAsGet() {
        for (String path : List.of("/api/v1/executions/none", "/api/v1/targets/a%2Fb%2Fc%2Fd", "/nothing")) {
            ServerResponse get = server.get(path);
            ServerResponse head = server.send(server.request(path)
                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                    .build());
            assertThat(head.raw().statusCode()).describedAs(path).isEqualTo(get.status());
            assertThat(head.raw().body()).isEmpty();
        }
    }

    @Test
    void explainDoesNotAdmitUnknownWorkflow() {
        ServerResponse answer = server.get("/api/v1/targets/explain?workflow=no-such&target=node/a");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().at("/admitted").asBoolean()).isFalse();
        assertThat(answer.text("/reason")).isEqualTo("WorkflowNotFound");
        assertThat(answer.text("/message")).contains("\"no-such\"");
    }

    @Test
    void limitsListResponseBySize() {
        for (int i = 0; i < 120; i++) {
            server.createExecution("long-" + i, "ok", "node/long", Map.of("TEXT", "\u20ac".repeat(16_000)));
        }
        ServerResponse list = server.get("/api/v1/executions?limit=500");
        assertThat(list.body().at("/items").size()).isLessThan(120);
        assertThat(list.text("/metadata/continue")).isNotEmpty();
    }

    @Test
    void refusesOversizedBodyOfUnknownLength() {
        byte[] body = ("{\"x\":\"" + "y".repeat(2 << 20) + "\"}").getBytes(StandardCharsets.UTF_8);
        ServerResponse streamed = server.send(server.request("/api/v1/executions")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                .build());
        assertRefused(413, "RequestTooLarge", streamed);
    }

    @Test
    void reportsLineAndColumnOfMalformedBody() {
        ServerResponse json =
                assertRefused(400, "BadRequest", server.post("/api/v1/executions", "{\n  \"kind\": oops}"));
        assertThat(json.message()).contains("JSON").contains("line 2, column");
        ServerResponse yaml = assertRefused(
                400, "BadRequest", server.post("/api/v1/executions", "kind: [a\nb: {", "application/yaml"));
        assertThat(yaml.message()).contains("YAML").contains("line ");
        ServerResponse twice =
                assertRefused(400, "BadRequest", server.post("/api/v1/executions", "{\"kind\":1,\"kind\":2}"));
        assertThat(twice.message()).contains("Duplicate").contains("kind");
        assertRefused(400, "BadRequest", server.post("/api/v1/executions", ""));
        assertRefused(400, "BadRequest", server.post("/api/v1/executions", "[".repeat(100_000)));
        ServerResponse latin = server.send(server.request("/api/v1/executions")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"kind\":\"\u00fc\"}", StandardCharsets.ISO_8859_1))
                .build());
        assertThat(assertRefused(400, "BadRequest", latin).message()).contains("UTF-8");
    }

    @Test
    void listsEveryProblemOfDocument() {
        String document = """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "Bad Name"},
                 "spec": {"workflowRef": {"workflowId": ""}, "targetResource": 5, "surprise": true}}
                """;
        ServerResponse answer = assertRefused(400, "BadRequest", server.post("/api/v1/executions", document));
        assertThat(answer.message())
                .contains("apiVersion")
                .contains("kind")
                .contains("Bad Name")
                .contains("workflowId")
                .contains("targetResource")
                .contains("surprise");
    }

    @Test
    void refusesDuplicateExecutionName() {
        server.createExecution("once", "ok", "node/once", Map.of());
        ServerResponse again = assertRefused(
                409,
                "AlreadyExists",
                server.post("/api/v1/executions", TestServer.executionJson("once", "ok", "node/other", Map.of())));
        assertThat(again.message()).contains("once").contains("default");
    }

    @Test
    void refusesOtherContentTypes() {
        String document = TestServer.executionJson("form", "ok", "node/form", Map.of());
        for (String type : new String[] {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"}) {
            assertThat(assertRefused(415, "UnsupportedMediaType", server.post("/api/v1/executions", document, type))
                            .message())
                    .contains(type);
        }
    }

    @Test
    void answers404And405ForUnknownPathsMethodsAndObjects() {
        assertThat(assertRefused(404, "NotFound", server.get("/api/v1/nothing")).message())
                .contains("/openapi.yaml");
        assertRefused(404, "NotFound", server.get("/assets/../logback.xml"));
        assertRefused(404, "NotFound", server.get("/assets/logback.xml"));
        assertThat(allowedMethods(server.delete("/api/v1/executions")))
                .containsExactlyInAnyOrder("GET", "HEAD", "POST");
        assertThat(allowedMethods(server.post("/api/v1/policy", "{}"))).containsExactlyInAnyOrder("GET", "HEAD");
        assertThat(assertRefused(404, "NotFound", server.get("/api/v1/executions/none"))
                        .message())
                .contains("none");
        assertRefused(404, "NotFound", server.delete("/api/v1/executions/none"));
        assertRefused(404, "NotFound", server.post("/api/v1/executions/none/cancel", "{}"));
        assertRefused(404, "NotFound", server.get("/api/v1/executions/none/logs"));
        assertRefused(404, "NotFound", server.get("/api/v1/workflows/none"));
        assertRefused(404, "NotFound", server.get("/api/v1/targets/wfe-0123456789abcdef"));
    }

    private List<String> allowedMethods(ServerResponse answer) {
        return List.of(assertRefused(405, "MethodNotAllowed", answer)
                .raw()
                .headers()
                .firstValue("Allow")
                .orElse("none")
                .split(", "));
    }

    @Test
    void allowHeaderOmitsMethodsOfPathsWithParameters() {
        assertThat(allowedMethods(server.delete("/api/v1/targets/clear"))).containsExactly("POST");
        assertThat(allowedMethods(server.get("/api/v1/targets/clear"))).containsExactly("POST");
    }

    @Test
    void refusesNamespaceMismatchBetweenParameterAndBody() {
        String document = TestServer.executionJson("placed", "ok", "node/placed", Map.of())
                .replace("\"name\":\"placed\"", "\"name\":\"placed\",\"namespace\":\"team\"");
        assertThat(assertRefused(400, "BadRequest", server.post("/api/v1/executions?namespace=other", document))
                        .message())
                .contains("namespace is \"other\" and metadata.namespace is \"team\": leave one out");
        assertThat(server.get("/api/v1/executions/placed?namespace=team").status())
                .isEqualTo(404);
        ServerResponse same = server.post("/api/v1/executions?namespace=team", document);
        assertThat(same.status()).describedAs(same.raw().body()).isEqualTo(201);
        assertThat(same.text("/metadata/namespace")).isEqualTo("team");
    }

    @Test
    void refusesInvalidParametersWithRule() {
        assertThat(assertRefused(400, "BadRequest", server.get("/api/v1/executions?limit=0"))
                        .message())
                .contains("1 to 500");
        assertRefused(400, "BadRequest", server.get("/api/v1/executions?phase=Dancing"));
        assertRefused(400, "BadRequest", server.get("/api/v1/executions?phse=Failed"));
        assertRefused(400, "BadRequest", server.get("/api/v1/executions?continue=nonsense"));
        assertRefused(400, "BadRequest", server.get("/api/v1/targets?state=happy"));
        assertRefused(400, "BadRequest", server.get("/api/v1/targets/nonsense"));
        assertRefused(400, "BadRequest", server.get("/api/v1/targets/a%2Fb%2Fc%2Fd"));
        assertRefused(400, "BadRequest", server.get("/api/v1/targets/explain?target=node/x"));
        assertRefused(400, "BadRequest", server.get("/api/v1/targets/explain?workflow=x"));
        assertRefused(400, "BadRequest", server.get("/api/v1/events?after=nonsense"));
        assertRefused(
                400, "BadRequest", server.post("/api/v1/targets/clear", "{\"target\": \"node/x\", \"why\": \"\"}"));
        assertRefused(400, "BadRequest", server.post("/api/v1/executions/x/cancel", "{\"bye\": \"ann\"}"));
    }

    @Test
    void refusesUnknownCharset() {
        String document = TestServer.executionJson("charset", "ok", "node/charset", Map.of());
        for (String charset : List.of("no-such-charset", "latin1", "\"\"", "%%%")) {
            assertRefused(
                    415,
                    "UnsupportedMediaType",
                    server.post("/api/v1/executions", document, "application/json; charset=" + charset));
        }
        ServerResponse accepted = server.post("/api/v1/executions", document, "application/json; charset=\"UTF-8\"");
        assertThat(accepted.status()).isEqualTo(201);
    }

    @Test
    void refusesBrokenChunk() throws Exception {
        String head = """
                POST /api/v1/executions HTTP/1.1\r
                Host: localhost\r
                Content-Type: application/json\r
                Transfer-Encoding: chunked\r
                \r
                """;
        for (String body : List.of("zz\r\n{}\r\n0\r\n\r\n", "2\r\n{}xx0\r\n\r\n")) {
            assertThat(sendRaw(head + body)).startsWith("HTTP/1.1 400 ").doesNotContain("Exception");
        }
    }

    @Test
    void refusesImportWithTooManyItems() {
        ServerResponse answer = assertRefused(
                400,
                "BadRequest",
                server.post("/api/v1/endpoints/import", "{\"items\":[" + "{},".repeat(1_900_000) + "{}]}"));
        assertThat(answer.message()).contains("more than 500000 keys and items");
        assertThat(server.post("/api/v1/endpoints/import", "{\"items\":[" + "1,".repeat(20_000) + "1]}")
                        .message())
                .contains("items[0] must be an object")
                .contains("and 19001 more problems");
    }

    private String sendRaw(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readNBytes(2_000), StandardCharsets.UTF_8);
        }
    }

    @Test
    void answersMalformedHttpWithoutInternalDetails() throws Exception {
        for (String request : new String[] {
            "NONSENSE\r\n\r\n",
            "GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /api/v1/executions HTTP/1.1\r\nHost: localhost\r\nX: " + "y".repeat(20_000) + "\r\n\r\n",
            "POST /api/v1/policy HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n"
        }) {
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), server.address().getPort())) {
                socket.setSoTimeout(60_000);
                OutputStream out = socket.getOutputStream();
                out.write(request.getBytes(StandardCharsets.UTF_8));
                out.flush();
                InputStream in = socket.getInputStream();
                String answer = new String(in.readNBytes(2_000), StandardCharsets.UTF_8);
                assertThat(answer)
                        .startsWith("HTTP/1.1 4")
                        .doesNotContain("Exception")
                        .doesNotContain("Jetty");
            }
        }
    }
}
