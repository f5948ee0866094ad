package dev.escapement.endpoints.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointUrlTest {

    @ParameterizedTest
    @CsvSource({
        "https://Example.COM,example.com:443,https://example.com:443/",
        "http://example.com,example.com:80,http://example.com:80/",
        "HTTP://example.com:8080/A?b=C,example.com:8080,http://example.com:8080/A?b=C",
        "http://example.com?x=1,example.com:80,http://example.com:80/?x=1",
        "http://10.0.0.1:1/,10.0.0.1:1,http://10.0.0.1:1/",
        "'http://[2606:4700::1]:65535/','[2606:4700:0:0:0:0:0:1]:65535','http://[2606:4700::1]:65535/'",
        "http://a-b.example/ü😀,a-b.example:80,http://a-b.example:80/%C3%BC%F0%9F%98%80",
        "http://xn--bcher-kva.example/,xn--bcher-kva.example:80,http://xn--bcher-kva.example:80/",
    })
    void parsesHostAndPort(String text, String hostKey, String called) {
        EndpointUrl url = EndpointUrl.parse(text);
        assertThat(url.hostKey()).isEqualTo(hostKey);
        assertThat(url.uri()).hasToString(called);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ttps://example.com|did you mean https://?",
                "htps://example.com|did you mean https://?",
                "htp://example.com|did you mean http",
                "ftp://example.com|only http and https",
                "example.com|does not begin with http:// or https://",
                "http:example.com|two slashes",
                "http://|the host is missing",
                "http://u:p@example.com/|Authorization header",
                "http://example.com:0/|from 1 to 65535",
                "http://example.com:99999/|from 1 to 65535",
                "http://example.com/#a|fragment",
                "http://example.com/a b|character 21",
                "http://example.com/{a}|percent-encoded",
                "http://example.com/%zz|percent-encoded",
                "http://bücher.example/|'xn--bcher-kva.example'",
                "http://1.2.3/|four decimal numbers",
                "http://example.com./|ends with a dot",
                "http://-a.example/|invalid label",
                "http://[::ffff:1.2.3.4]/|write it as IPv4",
            })
    void explainsInvalidUrl(String text, String words) {
        assertThatThrownBy(() -> EndpointUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("url: ")
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://user:hush@example.com/",
                "http://example.com/?token=hush#x",
                "http://example.com/?token=hush hush",
                "http://example.com/?token={hush}",
                "ttps://example.com/?token=hush",
                "http://example.com./?token=hush",
                "http://user:hush@bücher.example/",
            })
    void errorMessageContainsNoSecret(String text) {
        assertThatThrownBy(() -> EndpointUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hush");
    }

    @Test
    void limitsLength() {
        String longest = "http://example.com/" + "a".repeat(EndpointUrl.MAX_LENGTH - 19);
        assertThat(EndpointUrl.parse(longest).hostKey()).isEqualTo("example.com:80");
        assertThatThrownBy(() -> EndpointUrl.parse(longest + "a")).hasMessageContaining("2049 characters");
    }

    @Test
    void printsWithoutPathAndQuery() {
        assertThat(EndpointUrl.parse("https://example.com/hooks/s3cret?token=hush"))
                .hasToString("https://example.com:443/…");
    }

    @Test
    void refusesDeniedAddressLiteral() {
        EndpointUrl inside = EndpointUrl.parse("http://10.0.0.1/");
        assertThatThrownBy(() -> inside.requireAllowed(AllowList.parse("")))
                .hasMessageContaining("10.0.0.1 resolves to a private address")
                .hasMessageContaining("endpoints.allow");
        assertThat(inside.requireAllowed(AllowList.parse("10.0.0.0/8"))).isSameAs(inside);
        assertThatThrownBy(() -> EndpointUrl.parse("http://[::1]/").requireAllowed(AllowList.parse("")))
                .hasMessageContaining("loopback");
        assertThatThrownBy(() -> EndpointUrl.parse("http://0.0.0.0/").requireAllowed(AllowList.parse("0.0.0.0/0")))
                .hasMessageContaining("never called");
        assertThat(EndpointUrl.parse("http://localhost/")
                        .requireAllowed(AllowList.parse(""))
                        .host())
                .isEqualTo("localhost");
    }
}
