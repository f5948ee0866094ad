package dev.escapement.endpoints.call;

import static dev.escapement.endpoints.call.Calls.answer;
import static dev.escapement.endpoints.call.Calls.get;
import static dev.escapement.endpoints.call.Calls.post;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.call.Answer.Failure;
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

class HttpDispatcherTest {

    private final HttpDispatcher dispatcher = Calls.open("127.0.0.0/8");

    @AfterEach
    void close() {
        dispatcher.close();
    }

    private static RawServer friendly() {
        return RawServer.on("127.0.0.1", 0, (request, in, out) -> {
            out.write(RawServer.ok("héllo").getBytes(UTF_8));
            return true;
        });
    }

    @Test
    void aGoodAnswerIsASuccessWithItsBeginning() {
        try (RawServer server = friendly()) {
            assertThat(answer(dispatcher, get(server.url())))
                    .isEqualTo(new Answer(Optional.empty(), Optional.of(200), "", "héllo", 6, Optional.empty()));
        }
    }

    @Test
    void connectionsAreUsedAgain() {
        try (RawServer server = friendly()) {
            for (int i = 0; i < 20; i++) {
                assertThat(answer(dispatcher, get(server.url())).isSuccess()).isTrue();
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyMethodIsSentWithItsHeadersAndBody(Call.Method method) {
        try (RawServer server = friendly()) {
            Call call = new Call(
                    server.url() + "a%20b/ü?q=1%2B1",
                    method,
                    Map.of("X-Tenant", "seven"),
                    "{\"n\": 1}",
                    Calls.LONG,
                    "occurrence-9",
                    Optional.empty());
            assertThat(answer(dispatcher, call).isSuccess()).isTrue();
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
    void aPostWithoutABodySaysThatItHasNone() {
        try (RawServer server = friendly()) {
            assertThat(answer(dispatcher, post(server.url(), Map.of(), "")).isSuccess())
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
    void theTypeOfABodyIsFoundByLookingAtIt(String body, String type) {
        try (RawServer server = friendly()) {
            answer(dispatcher, post(server.url(), Map.of(), body));
            answer(dispatcher, post(server.url(), Map.of("content-type", "text/csv", "user-agent", "me"), body));
            assertThat(server.requests().get(0)).contains("Content-Type: " + type + "\r\n");
            assertThat(server.requests().get(1))
                    .containsIgnoringCase("Content-Type: text/csv\r\n")
                    .containsIgnoringCase("User-Agent: me\r\n")
                    .doesNotContain("Escapement", type + "\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 407, 410, 429, 500, 502, 503, 599})
    void everyOtherStatusIsAFailureThatKeepsTheAnswer(int status) {
        String body = status == 304 ? "" : "why not";
        try (RawServer server = RawServer.saying("HTTP/1.1 " + status + " No\r\nRetry-After: 120\r\n"
                + "WWW-Authenticate: Basic realm=\"x\"\r\nProxy-Authenticate: Basic realm=\"x\"\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body)) {
            Answer answer = answer(dispatcher, get(server.url()));
            assertThat(answer.failure()).contains(Failure.STATUS);
            assertThat(answer.status()).contains(status);
            assertThat(answer.excerpt()).isEqualTo(body);
            assertThat(answer.error()).contains("127.0.0.1").contains(Integer.toString(status));
            assertThat(answer.retryAfter()).contains(Duration.ofMinutes(2));
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void aRequestIsSignedIfThereIsAKey() {
        try (RawServer server = friendly()) {
            Call call = new Call(
                    server.url(),
                    Call.Method.POST,
                    Map.of(),
                    "{\"test\": 2432232314}",
                    Calls.LONG,
                    "msg_p5jXN8AQM9LWM0D4loKWxJek",
                    Optional.of(SecretText.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")));
            assertThat(answer(dispatcher, call).isSuccess()).isTrue();
            assertThat(server.requests().get(0))
                    .contains("webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek\r\n")
                    .contains("webhook-timestamp: " + Calls.CLOCK.instant().getEpochSecond() + "\r\n")
                    .contains("webhook-signature: v1,");
        }
    }

    @Test
    void whatCannotBeSentIsToldAndNotSent() {
        try (RawServer server = friendly()) {
            assertThat(answer(dispatcher, post(server.url(), Map.of("Host", "other"), ""))
                            .failure())
                    .contains(Failure.BAD_REQUEST);
            Call badKey = new Call(
                    server.url(),
                    Call.Method.GET,
                    Map.of(),
                    "",
                    Calls.LONG,
                    "k",
                    Optional.of(SecretText.of("whsec_###")));
            Answer answer = answer(dispatcher, badKey);
            assertThat(answer.failure()).contains(Failure.BAD_REQUEST);
            assertThat(answer.error()).contains("signingKey").doesNotContain("#");
            assertThat(server.connections()).isZero();
        }
    }

    @Test
    void secretsThatAreEchoedAreNotKept() {
        RawServer.Script echo = (request, in, out) -> {
            out.write(RawServer.ok(request).getBytes(UTF_8));
            return false;
        };
        try (RawServer server = RawServer.on("127.0.0.1", 0, echo)) {
            Map<String, String> headers = Map.of("Authorization", "Bearer s3cr3t-t0ken", "Accept", "text/html");
            Answer answer = answer(dispatcher, post(server.url() + "?token=hush-hush&a=b", headers, ""));
            assertThat(answer.excerpt())
                    .contains("(not shown)", "text/html")
                    .doesNotContain("s3cr3t-t0ken", "hush-hush");
        }
    }

    @Test
    void theProxyOfTheMachineIsIgnored() {
        String before = System.getProperty("http.proxyHost", "");
        try (RawServer server = friendly();
                RawServer proxy = friendly()) {
            System.setProperty("http.proxyHost", "127.0.0.1");
            System.setProperty("http.proxyPort", Integer.toString(proxy.port()));
            System.setProperty("http.nonProxyHosts", "");
            try (HttpDispatcher fresh = Calls.open("127.0.0.0/8")) {
                assertThat(answer(fresh, get(server.url())).isSuccess()).isTrue();
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
