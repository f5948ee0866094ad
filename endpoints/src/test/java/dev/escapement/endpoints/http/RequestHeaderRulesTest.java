package dev.escapement.endpoints.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeaderRulesTest {

    @Test
    void acceptsApplicationHeaders() {
        assertThatCode(() -> RequestHeaderRules.check(Map.of(
                        "Authorization",
                        "Bearer abc",
                        "X-Custom_1",
                        "a\tb c",
                        "Content-Type",
                        "text/xml; charset=utf-8",
                        "User-Agent",
                        "me",
                        "Cookie",
                        "",
                        "Accept",
                        "*/*")))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "CONTENT-LENGTH",
                "Transfer-Encoding",
                "connection",
                "Keep-Alive",
                "Upgrade",
                "Expect",
                "TE",
                "Trailer",
                "Proxy-Authorization",
                "proxy-anything",
                "HTTP2-Settings",
                "Idempotency-Key",
                "webhook-id",
                "Webhook-Signature",
                "webhook-timestamp",
            })
    void refusesConnectionAndReservedHeaders(String name) {
        assertThatThrownBy(() -> RequestHeaderRules.check(Map.of(name, "hush")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("remove it")
                .hasMessageNotContaining("hush");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a:b", "a\r\nb", "ü", "a\u0000", "(a)", "Host ", "\tHost"})
    void refusesInvalidName(String name) {
        assertThatThrownBy(() -> RequestHeaderRules.check(Map.of(name, "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("headers: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX-Evil: b", "a\nb", "a\rb", "hush\u0000", "hush\u007f", "hüsh", "\u2028"})
    void refusesInvalidValueWithoutRepeatingIt(String value) {
        assertThatThrownBy(() -> RequestHeaderRules.check(Map.of("X-A", value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("X-A")
                .hasMessageNotContaining(value);
    }

    @Test
    void refusesSameNameInDifferentCase() {
        assertThatThrownBy(() -> RequestHeaderRules.check(Map.of("X-A", "1", "x-a", "2")))
                .hasMessageContaining("given twice");
    }

    @Test
    void limitsTotalSize() {
        int room = RequestHeaderRules.MAX_TOTAL_BYTES - "X-A".length() - 4;
        assertThatCode(() -> RequestHeaderRules.check(Map.of("X-A", "a".repeat(room))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> RequestHeaderRules.check(Map.of("X-A", "a".repeat(room + 1))))
                .hasMessageContaining("16385 bytes");
    }
}
