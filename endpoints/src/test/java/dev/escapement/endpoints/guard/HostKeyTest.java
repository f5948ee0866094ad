package dev.escapement.endpoints.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostKeyTest {

    @Test
    void normalizesHostAndPort() {
        assertThat(EndpointUrl.hostKeyOf("HTTPS://API.example/x?y=z")).isEqualTo("api.example:443");
        assertThat(EndpointUrl.hostKeyOf("http://api.example:8080")).isEqualTo("api.example:8080");
        assertThat(EndpointUrl.hostKeyOf("http://[::1]/"))
                .isEqualTo(EndpointUrl.hostKeyOf("http://[0:0:0:0:0:0:0:1]:80/path"));
    }

    @Test
    void invalidUrlGetsItsOwnKeyWithoutItsText() {
        String bad = EndpointUrl.hostKeyOf("https://my_host.example/path?token=hush");
        assertThat(bad).matches("bad-url-[0-9a-f]{16}");
        assertThat(EndpointUrl.hostKeyOf("https://my_host.example/other?token=hush"))
                .isNotEqualTo(bad);
    }
}
