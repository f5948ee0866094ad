package dev.escapement.endpoints.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostKeyTest {

    @Test
    void normalizesHostAndPort() {
        assertThat(HostKey.of("HTTPS://API.example/x?y=z")).isEqualTo("api.example:443");
        assertThat(HostKey.of("http://api.example:8080")).isEqualTo("api.example:8080");
        assertThat(HostKey.of("http://[::1]/")).isEqualTo(HostKey.of("http://[0:0:0:0:0:0:0:1]:80/path"));
    }

    @Test
    void invalidUrlGetsItsOwnKeyWithoutItsText() {
        String bad = HostKey.of("https://my_host.example/path?token=hush");
        assertThat(bad).matches("bad-url-[0-9a-f]{16}");
        assertThat(HostKey.of("https://my_host.example/other?token=hush")).isNotEqualTo(bad);
    }
}
