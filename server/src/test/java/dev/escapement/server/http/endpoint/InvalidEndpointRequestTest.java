package dev.escapement.server.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.Json;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invalid requests for endpoints are refused with a reason. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InvalidEndpointRequestTest {

    private static final String PATH = "/api/v1/endpoints";

    private final TestServer server;

    InvalidEndpointRequestTest(@TempDir Path folder) {
        server = TestServer.start(folder);
        // Paused, so that it is never called.
        server.createEndpoint(
                "there",
                Map.of("url", "https://host.example/", "interval", "1h", "pausedUntil", "2999-01-01T00:00:00Z"));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @AfterEach
    void assertServerIsLive() {
        assertThat(server.get("/health/live").status()).isEqualTo(200);
    }

    private static ServerResponse assertRefused(int status, String code, ServerResponse answer) {
        assertThat(answer.status()).describedAs(answer.raw().body()).isEqualTo(status);
        assertThat(answer.text("/error/code")).isEqualTo(code);
        assertThat(answer.raw().body())
                .doesNotContain("Exception")
                .doesNotContain("dev.escapement")
                .doesNotContain("\tat ");
        return answer;
    }

    @Test
    void listsEveryProblemOfDocument() {
        ServerResponse answer = assertRefused(400, "BadRequest", server.post(PATH, """
            {"name": "-no-", "url": "ttps://x.example", "method": "BREW", "interval": "1h", "cron": "* * * * *",
             "timeout": "1h", "headers": {"Host": "evil", "X": "a\\nb"}, "signingKey": "secret-thing",
             "minInterval": "x", "colour": "red", "remediation": {"target": "nothing"}}
            """));
        assertThat(answer.message())
                .contains("name is \"-no-\": must match")
                .contains("url is refused")
                .contains("method is \"BREW\": must be one of GET, POST")
                .contains("exactly one of interval and cron must be given")
                .contains("timeout is 1h")
                .contains("headers.Host is refused")
                .contains("headers.X is refused")
                .contains("signingKey is refused")
                .contains("minInterval is \"x\": must be a duration")
                .contains("colour is not a field (fields: name, ")
                .contains("remediation.workflow is missing")
                .contains("remediation.target is \"nothing\": it has neither 2 nor 3 parts")
                .doesNotContain("secret-thing")
                .doesNotContain("url: ");
        assertThat(answer.body().at("/error/problems").size()).isGreaterThanOrEqualTo(12);
    }

    @Test
    void changesNothingWhenCallerOrReasonIsNotText() {
        for (String body : List.of("{\"by\": 5}", "{\"reason\": [\"x\"]}")) {
            assertRefused(400, "BadRequest", server.post(PATH + "/there/resume", body));
        }
        assertThat(server.get(PATH + "/there").text("/pausedUntil")).isEqualTo("2999-01-01T00:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:1/",
        "http://[::1]/",
        "http://169.254.169.254/latest",
        "http://10.1.2.3/",
        "http://user:pw@host.example/",
        "file:///etc/passwd"
    })
    void refusesInternalAddressWithoutAllowList(String url) {
        ServerResponse answer = assertRefused(
                400,
                "BadRequest",
                server.post(PATH, Json.write(Map.of("name", "inside", "url", url, "interval", "1h"))));
        assertThat(answer.message()).startsWith("url is refused: ").doesNotContain("user:pw");
    }

    @Test
    void deniesCallToNameOfInternalAddress() {
        server.createEndpoint("by-name", Map.of("url", "http://localhost:1/", "interval", "1h"));
        assertThat(server.post(PATH + "/by-name/run", "{}").status()).isEqualTo(202);
        server.awaitEndpoint(
                "by-name", "failed", seen -> seen.text("/status/state").equals("FAILING"));
        ServerResponse runs = server.get("/api/v1/runs?endpoint=by-name");
        assertThat(runs.text("/items/0/failure")).isEqualTo("ADDRESS_DENIED");
        assertThat(runs.text("/items/0/error")).contains("allow");
        assertThat(server.delete(PATH + "/by-name").status()).isEqualTo(200);
    }

    @Test
    void refusesDuplicateEndpointName() {
        String again = "{\"name\":\"there\",\"url\":\"https://host.example/\",\"interval\":\"1h\"}";
        assertRefused(409, "AlreadyExists", server.post(PATH, again));
        server.createEndpoint(
                "other",
                Map.of("url", "https://host.example/", "interval", "1h", "pausedUntil", "2999-01-01T00:00:00Z"));
        assertRefused(409, "AlreadyExists", server.patch(PATH + "/other", "{\"name\":\"there\"}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pause; {\"until\":\"tomorrow\"}; until is \"tomorrow\"",
                "pause; {\"until\":\"2000-01-01T00:00:00Z\"}; which is not in the future",
                "pause; {\"until\":\"+12000-01-01T00:00:00Z\"}; leave it out",
                "pause; {\"for\":\"2 parsecs\"}; for is invalid",
                "pause; {\"for\":\"2h\",\"until\":\"2999-01-01T00:00:00Z\"}; both given",
                "pause; {\"untli\":\"x\"}; not a field of this request",
                "pause; {\"for\":7}; for must be a string",
                "resume; {\"x\":1}; not a field of this request",
                "run; {\"why\":1}; not a field of this request",
                "reset-failures; {\"why\":1}; not a field of this request",
                "hints; {\"interval\":\"10s\"}; reason is missing",
                "hints; {\"reason\":\"r\"}; exactly one of interval",
                "hints; {\"interval\":\"10s\",\"in\":\"5m\",\"reason\":\"r\"}; exactly one of interval",
                "hints; {\"interval\":\"0s\",\"reason\":\"r\"}; must be at least 1s",
                "hints; {\"interval\":\"10s\",\"for\":\"0s\",\"reason\":\"r\"}; must expire later",
                "hints; {\"at\":\"2999-01-01T00:00:00Z\",\"for\":\"1h\",\"reason\":\"r\"}; must expire later",
                "hints; {\"at\":\"+999999999-12-31T23:59:59Z\",\"reason\":\"r\"}; must be",
                "hints; {\"in\":\"soon\",\"reason\":\"r\"}; in is invalid",
                "hints; []; must be an object"
            })
    void refusesInvalidAction(String wish, String body, String why) {
        ServerResponse answer = assertRefused(400, "BadRequest", server.post(PATH + "/there/" + wish, body));
        assertThat(answer.message()).contains(why);
    }

    @Test
    void refusesRunWhilePaused() {
        ServerResponse answer = assertRefused(409, "Conflict", server.post(PATH + "/there/run", "{}"));
        assertThat(answer.message()).contains("paused").contains("2999").contains("resume");
    }

    @Test
    void moreThanTwentyHintsAreRefused() {
        String hint = "{\"interval\":\"10m\",\"reason\":\"again\"}";
        for (int i = 0; i < 20; i++) {
            assertThat(server.post(PATH + "/there/hints", hint).status()).isEqualTo(200);
        }
        assertThat(assertRefused(409, "Conflict", server.post(PATH + "/there/hints", hint))
                        .message())
                .contains("20 hints");
        assertThat(server.delete(PATH + "/there/hints").status()).isEqualTo(200);
    }

    @Test
    void answers404ForUnknownAndRefusesMisspelledFields() {
        for (String path : List.of("/none", "/none/explain", "/none/runs")) {
            assertThat(assertRefused(404, "NotFound", server.get(PATH + path)).message())
                    .contains("\"none\"");
        }
        for (String wish : List.of("pause", "resume", "run", "reset-failures")) {
            assertRefused(404, "NotFound", server.post(PATH + "/none/" + wish, "{}"));
        }
        assertRefused(404, "NotFound", server.post(PATH + "/none/hints", "{\"in\":\"1m\",\"reason\":\"r\"}"));
        assertRefused(404, "NotFound", server.delete(PATH + "/none"));
        assertRefused(404, "NotFound", server.delete(PATH + "/none/hints"));
        assertRefused(404, "NotFound", server.put(PATH + "/none", "{}"));
        assertRefused(404, "NotFound", server.patch(PATH + "/none", "{}"));
        for (String run : List.of("none", "none-1", "none-99999999999999999999", "-1", "a-01")) {
            assertRefused(404, "NotFound", server.get("/api/v1/runs/" + run));
        }
        assertRefused(404, "NotFound", server.get("/api/v1/runs?endpoint=none"));
        assertRefused(400, "BadRequest", server.get("/api/v1/runs?endpiont=there"));
        assertRefused(400, "BadRequest", server.get("/api/v1/runs?outcome=good"));
        assertRefused(400, "BadRequest", server.get("/api/v1/runs?continue=nonsense"));
        assertRefused(400, "BadRequest", server.get(PATH + "?state=ill"));
        assertRefused(400, "BadRequest", server.get(PATH + "?limit=0"));
        assertRefused(400, "BadRequest", server.get(PATH + "/there?x=1"));
        assertRefused(400, "BadRequest", server.get(PATH + "/there/explain?x=1"));
        assertRefused(405, "MethodNotAllowed", server.post(PATH + "/there", "{}"));
    }

    @Test
    void invalidChangeLeavesEndpointUnchanged() {
        ServerResponse before = server.get(PATH + "/there");
        assertRefused(400, "BadRequest", server.put(PATH + "/there", "{\"url\":\"https://host.example/\"}"));
        assertRefused(400, "BadRequest", server.patch(PATH + "/there", "{\"interval\":\"0s\"}"));
        assertRefused(400, "BadRequest", server.patch(PATH + "/there", "{\"colour\":\"red\"}"));
        ServerResponse hidden = assertRefused(
                400, "BadRequest", server.patch(PATH + "/there", "{\"headers\":{\"Authorization\":\"(hidden)\"}}"));
        assertThat(hidden.message()).contains("headers.Authorization is (hidden)");
        assertRefused(400, "BadRequest", server.patch(PATH + "/there", "[]"));
        assertRefused(415, "UnsupportedMediaType", server.post(PATH, "name=x", "application/x-www-form-urlencoded"));
        assertThat(server.get(PATH + "/there").body()).isEqualTo(before.body());
    }

    @Test
    void refusesInvalidImportWithReasons() {
        String path = PATH + "/import";
        assertRefused(400, "BadRequest", server.post(path, ""));
        assertRefused(400, "BadRequest", server.post(path, "{\"items\":[]}"));
        assertRefused(400, "BadRequest", server.post(path, "{\"items\":{}}"));
        assertRefused(400, "BadRequest", server.post(path, "{\"items\":[],\"more\":1}"));
        assertRefused(400, "BadRequest", server.post(path + "?dry-run=maybe", "{\"items\":[{}]}"));
        assertThat(assertRefused(400, "BadRequest", server.post(path, "{\"items\":[1,{}]}"))
                        .message())
                .isEqualTo("items[0] must be an object: an endpoint");
        assertThat(assertRefused(400, "BadRequest", server.post(path, "a: 1\n---\n- b\n", "application/yaml"))
                        .message())
                .contains("line 3");
        assertThat(assertRefused(400, "BadRequest", server.post(path, "{\"items\":[{}]}"))
                        .message())
                .contains("items[0] (): name is missing");
        String large = "{\"items\":[{\"name\":\"" + "x".repeat(17 << 20) + "\"}]}";
        assertThat(assertRefused(413, "RequestTooLarge", server.post(path, large))
                        .message())
                .contains("16777216 bytes (limit of an import)");
    }

    @Test
    void refusesIntervalsBelowASecond() {
        String rule = "an interval of 999ms is too short: it must be at least 1s";
        String body = "{\"name\":\"fast\",\"url\":\"https://a.example/\",\"interval\":\"%s\",\"maxInterval\":\"%s\"}";
        assertThat(assertRefused(400, "BadRequest", server.post(PATH, body.formatted("999ms", "999ms")))
                        .message())
                .contains("interval is refused: " + rule, "maxInterval is refused: " + rule);
        String hint = "{\"interval\":\"999ms\",\"reason\":\"haste\"}";
        assertThat(assertRefused(400, "BadRequest", server.post(PATH + "/there/hints", hint))
                        .message())
                .isEqualTo(rule);
    }

    @Test
    void refusesRemediationFieldsThatOnlyAClusterCanHonour() {
        String body = """
            {"name": "pinned", "url": "https://a.example/", "interval": "1h", "remediation": {"workflow": "ok",
             "target": "node/a", "engine": "job", "serviceAccountName": "worker"}}\
            """;
        assertThat(assertRefused(400, "BadRequest", server.post(PATH, body)).message())
                .contains("remediation.engine is \"job\": only an operator on Kubernetes can honour it")
                .contains("remediation.serviceAccountName is \"worker\": only an operator");
    }

    @Test
    void refusesCrossOriginRequests() {
        ServerResponse answer = server.send(server.request(PATH + "/there/resume")
                .header("Content-Type", "application/json")
                .header("Origin", "https://evil.example")
                .POST(BodyPublishers.ofString("{}"))
                .build());
        assertRefused(403, "Forbidden", answer);
        assertThat(server.get(PATH + "/there").text("/status/state")).isEqualTo("PAUSED");
    }
}
