package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.storage.SecretText;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSignerTest {

    /**
     * The first is the example that the libraries of Standard Webhooks test with; all were computed by OpenSSL or
     * Python.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw|msg_p5jXN8AQM9LWM0D4loKWxJek|1614265330|{\"test\": 2432232314}"
                        + "|v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw=="
                        + "|occurrence-1|1700000000|'grüße 😀\n'|v1,rx0J+xU+JfIC6p4AE25JnWN9aTNBipB6JFTzkbf0Yuo=",
                "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX|occurrence-1|1700000000|''"
                        + "|v1,zLpWY4PtEQLaDxK/CeKhhURiZHEgZFHpcqAw+gC4ThI=",
            })
    void matchesReferenceSignatures(String key, String id, long at, String body, String signature) {
        Map<String, String> headers =
                WebhookSigner.withKey(SecretText.of("whsec_" + key)).sign(id, Instant.ofEpochSecond(at), body);
        assertThat(headers)
                .isEqualTo(Map.of(
                        "webhook-id", id, "webhook-timestamp", Long.toString(at), "webhook-signature", signature));
    }

    @Test
    void everyKeyMakesASignatureWhileKeysAreChanged() {
        String old = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        String next = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
        assertThat(signature(next + "\n" + old)).isEqualTo(signature(next) + " " + signature(old));
        assertThatThrownBy(() -> signature((old + " ").repeat(5) + old))
                .hasMessageStartingWith("signingKey: it has 6 keys, not 1 to 5");
    }

    private static String signature(String keys) {
        return String.valueOf(WebhookSigner.withKey(SecretText.of(keys))
                .sign("id-1", Instant.EPOCH, "body")
                .get("webhook-signature"));
    }

    @Test
    void receiverCanVerifySentRequest() throws GeneralSecurityException {
        byte[] key = new byte[32];
        key[5] = 7;
        try (ScriptedServer server = ScriptedServer.respondingWith(ScriptedServer.okResponse(""));
                HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1")) {
            TestCalls.call(
                    dispatcher,
                    new CallRequest(
                            server.url(),
                            CallRequest.Method.PUT,
                            Map.of(),
                            "{\"name\": \"Zoë\"}",
                            TestCalls.LONG_TIMEOUT,
                            Optional.of(
                                    SecretText.of("whsec_" + Base64.getEncoder().encodeToString(key)))),
                    "run-17");
            String request = server.requests().get(0);
            String body = request.substring(request.indexOf("\r\n\r\n") + 4);
            String content = header(request, "webhook-id") + "." + header(request, "webhook-timestamp") + "." + body;
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            String expected = Base64.getEncoder().encodeToString(mac.doFinal(content.getBytes(UTF_8)));
            assertThat(header(request, "webhook-signature")).isEqualTo("v1," + expected);
            assertThat(header(request, "webhook-id")).isEqualTo(header(request, "Idempotency-Key"));
        }
    }

    private static String header(String request, String name) {
        int start = request.indexOf(name + ": ") + name.length() + 2;
        return request.substring(start, request.indexOf("\r\n", start));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "whsec_",
                "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa",
                "whsec_not base64 at all, my friend!!!",
                "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0A=",
            })
    void refusesInvalidKeyWithoutRepeatingIt(String key) {
        assertThatThrownBy(() -> WebhookSigner.withKey(SecretText.of(key)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageStartingWith("signingKey: it ")
                .hasMessageContaining("openssl rand")
                .message()
                .doesNotContain(key.isEmpty() || key.equals("whsec_") ? "(secret)" : key);
    }

    @Test
    void doesNotPrintKey() {
        assertThat(WebhookSigner.withKey(SecretText.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
                .hasToString("(signing key)");
    }
}
