package dev.escapement.endpoints.call;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadersTest {

    @Test
    void whatSaysSomethingToTheOtherSideMayBeSent() {
        assertThatCode(() -> RequestHeaders.check(Map.of(
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
    void whatFramesTheMessageIsRefused(String name) {
        assertThatThrownBy(() -> RequestHeaders.check(Map.of(name, "hush")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("remove it")
                .hasMessageNotContaining("hush");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a:b", "a\r\nb", "ü", "a\u0000", "(a)", "Host ", "\tHost"})
    void aNameThatIsNoneIsRefused(String name) {
        assertThatThrownBy(() -> RequestHeaders.check(Map.of(name, "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("headers: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX-Evil: b", "a\nb", "a\rb", "hush\u0000", "hush\u007f", "hüsh", "\u2028"})
    void aValueThatBreaksOutIsRefusedWithoutBeingRepeated(String value) {
        assertThatThrownBy(() -> RequestHeaders.check(Map.of("X-A", value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("X-A")
                .hasMessageNotContaining(value);
    }

    @Test
    void oneNameInTwoSpellingsIsRefused() {
        assertThatThrownBy(() -> RequestHeaders.check(Map.of("X-A", "1", "x-a", "2")))
                .hasMessageContaining("given twice");
    }

    @Test
    void allTogetherHaveABound() {
        int room = RequestHeaders.LARGEST - "X-A".length() - 4;
        assertThatCode(() -> RequestHeaders.check(Map.of("X-A", "a".repeat(room))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> RequestHeaders.check(Map.of("X-A", "a".repeat(room + 1))))
                .hasMessageContaining("16385 bytes");
    }
}
