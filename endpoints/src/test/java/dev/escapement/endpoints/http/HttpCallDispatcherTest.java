package dev.escapement.endpoints.http;

import static dev.escapement.endpoints.http.TestCalls.call;
import static dev.escapement.endpoints.http.TestCalls.get;
import static dev.escapement.endpoints.http.TestCalls.post;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.http.CallResult.Failure;
import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCallDispatcherTest {

    private final HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.0/8");

    @AfterEach
    void close() {
        dispatcher.close();
    }

    private static ScriptedServer startServer() {
        return ScriptedServer.listen("127.0.0.1", 0, (request, in, out) -> {
            out.write(ScriptedServer.okResponse("héllo").getBytes(UTF_8));
            return true;
        });
    }

    @Test
    void successContainsExcerpt() {
        try (ScriptedServer server = startServer()) {
            assertThat(call(dispatcher, get(server.url())))
                    .isEqualTo(new CallResult(Optional.empty(), Optional.of(200), "", "héllo", 6, Optional.empty()));
        }
    }

    @Test
    void reusesConnections() {
        try (ScriptedServer server = startServer()) {
            for (int i = 0; i < 20; i++) {
                assertThat(call(dispatcher, get(server.url())).isSuccess()).isTrue();
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsEveryMethodWithHeadersAndBody(CallRequest.Method method) {
        try (ScriptedServer server = startServer()) {
            CallRequest call = new CallRequest(
                    server.url() + "a%20b/ü?q=1%2B1",
                    method,
                    Map.of("X-Tenant", "seven"),
                    "{\"n\": 1}",
                    TestCalls.LONG_TIMEOUT,
                    Optional.empty());
            assertThat(call(dispatcher, call, "occurrence-9").isSuccess()).isTrue();
            assertThat(server.requests().get(0))
                    .startsWith(method + " /a%20b/%C3%BC?q=1%2B1 HTTP/1.1\r\n")
                    .contains("Host: 127.0.0.1:" + server.port() + "\r\n")
                    .contains("X-Tenant: seven\r\n", "Idempotency-Key: occurrence-9\r\n")
                    .contains("User-Agent: Escapement/test\r\n", "Content-Type: application/json\r\n")
                    .doesNotContain("Accept-Encoding", "Cookie", "webhook-")
                    .endsWith("\r\n\r\n{\"n\": 1}");
        }
    }

    @Test
    void postWithoutBodySendsContentLengthZero() {
        try (ScriptedServer server = startServer()) {
            assertThat(call(dispatcher, post(server.url(), Map.of(), "")).isSuccess())
                    .isTrue();
            assertThat(server.requests().get(0)).contains("Content-Length: 0").doesNotContain("Content-Type");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1}|application/json",
                "[1,2]|application/json",
                "\"text\"|application/json",
                "12|application/json",
                "hello|text/plain;charset=utf-8",
                "{\"a\":|text/plain;charset=utf-8",
                "{} {}|text/plain;charset=utf-8",
            })
    void detectsContentTypeOfBody(String body, String type) {
        try (ScriptedServer server = startServer()) {
            call(dispatcher, post(server.url(), Map.of(), body));
            call(dispatcher, post(server.url(), Map.of("content-type", "text/csv", "user-agent", "me"), body));
            assertThat(server.requests().get(0)).contains("Content-Type: " + type + "\r\n");
            assertThat(server.requests().get(1))
                    .containsIgnoringCase("Content-Type: text/csv\r\n")
                    .containsIgnoringCase("User-Agent: me\r\n")
                    .doesNotContain("Escapement", type + "\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 407, 410, 429, 500, 502, 503, 599})
    void nonSuccessStatusIsFailureWithExcerpt(int status) {
        String body = status == 304 ? "" : "why not";
        try (ScriptedServer server = ScriptedServer.respondingWith("HTTP/1.1 " + status + " No\r\nRetry-After: 120\r\n"
                + "WWW-Authenticate: Basic realm=\"x\"\r\nProxy-Authenticate: Basic realm=\"x\"\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body)) {
            CallResult answer = call(dispatcher, get(server.url()));
            assertThat(answer.failure()).contains(Failure.STATUS);
            assertThat(answer.statusCode()).contains(status);
            assertThat(answer.excerpt()).isEqualTo(body);
            assertThat(answer.error()).contains("127.0.0.1").contains(Integer.toString(status));
            assertThat(answer.retryAfter()).contains(Duration.ofMinutes(2));
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void signsRequestWhenKeyIsGiven() {
        try (ScriptedServer server = startServer()) {
            CallRequest call = new CallRequest(
                    server.url(),
                    CallRequest.Method.POST,
                    Map.of(),
                    "{\"test\": 2432232314}",
                    TestCalls.LONG_TIMEOUT,
                    Optional.of(SecretText.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")));
            assertThat(call(dispatcher, call, "msg_p5jXN8AQM9LWM0D4loKWxJek").isSuccess())
                    .isTrue();
            assertThat(server.requests().get(0))
                    .contains("webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek\r\n")
                    .contains("webhook-timestamp: " + TestCalls.CLOCK.instant().getEpochSecond() + "\r\n")
                    .contains("webhook-signature: v1,");
        }
    }

    @Test
    void reportsInvalidRequestWithoutSending() {
        try (ScriptedServer server = startServer()) {
            assertThat(call(dispatcher, post(server.url(), Map.of("Host", "other"), ""))
                            .failure())
                    .contains(Failure.BAD_REQUEST);
            CallRequest badKey = new CallRequest(
                    server.url(),
                    CallRequest.Method.GET,
                    Map.of(),
                    "",
                    TestCalls.LONG_TIMEOUT,
                    Optional.of(SecretText.of("whsec_###")));
            CallResult answer = call(dispatcher, badKey);
            assertThat(answer.failure()).contains(Failure.BAD_REQUEST);
            assertThat(answer.error()).contains("signingKey").doesNotContain("#");
            assertThat(server.connections()).isZero();
        }
    }

    @Test
    void redactsEchoedSecrets() {
        ScriptedServer.Script echo = (request, in, out) -> {
            out.write(ScriptedServer.okResponse(request).getBytes(UTF_8));
            return false;
        };
        try (ScriptedServer server = ScriptedServer.listen("127.0.0.1", 0, echo)) {
            Map<String, String> headers = Map.of("Authorization", "Bearer s3cr3t-t0ken", "Accept", "text/html");
            CallResult answer = call(dispatcher, post(server.url() + "?token=hush-hush&a=b", headers, ""));
            assertThat(answer.excerpt())
                    .contains("(not shown)", "text/html")
                    .doesNotContain("s3cr3t-t0ken", "hush-hush");
        }
    }

    @Test
    void ignoresSystemProxy() {
        String before = System.getProperty("http.proxyHost", "");
        try (ScriptedServer server = startServer();
                ScriptedServer proxy = startServer()) {
            System.setProperty("http.proxyHost", "127.0.0.1");
            System.setProperty("http.proxyPort", Integer.toString(proxy.port()));
            System.setProperty("http.nonProxyHosts", "");
            try (HttpCallDispatcher fresh = TestCalls.open("127.0.0.0/8")) {
                assertThat(call(fresh, get(server.url())).isSuccess()).isTrue();
            }
            assertThat(proxy.connections()).isZero();
        } finally {
            System.clearProperty("http.proxyPort");
            System.clearProperty("http.nonProxyHosts");
            if (before.isEmpty()) {
                System.clearProperty("http.proxyHost");
            } else {
                System.setProperty("http.proxyHost", before);
            }
        }
    }
}
