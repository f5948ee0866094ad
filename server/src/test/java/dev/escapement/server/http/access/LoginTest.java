package dev.escapement.server.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.standalone.StandaloneServer;
import dev.escapement.server.standalone.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server without configured tokens has one of its own, and logs a browser in by the address that it prints. */
class LoginTest {

    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(URI address, String body, Map<String, String> headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).header("Content-Type", "application/json");
        headers.forEach(request::header);
        return send(request.POST(BodyPublishers.ofString(body)));
    }

    private static StandaloneServer start(Path folder) {
        return StandaloneServer.start(TestServer.settings(folder, Map.of("authentication", "token")));
    }

    @Test
    void createsTokenThatOnlyOwnerCanReadAndKeepsIt(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("data/token");
        String first;
        try (StandaloneServer server = start(folder)) {
            first = Files.readString(file).strip();
            assertThat(first).hasSizeGreaterThan(40).isEqualTo(server.token());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(folder.resolve("data/server.json")))
                    .contains(file.toString())
                    .doesNotContain(first);
            URI policy = server.address().resolve("/api/v1/policy");
            assertThat(send(HttpRequest.newBuilder(policy)).statusCode()).isEqualTo(401);
            assertThat(send(HttpRequest.newBuilder(policy).header("Authorization", "Bearer " + first))
                            .statusCode())
                    .isEqualTo(200);
        }
        try (StandaloneServer again = start(folder)) {
            assertThat(again.token()).isEqualTo(first);
        }
    }

    @Test
    void exchangesCodeOfAddressOnceForCookie(@TempDir Path folder) throws Exception {
        try (StandaloneServer server = start(folder)) {
            URI login = server.loginAddress();
            assertThat(login.toString())
                    .startsWith(server.address() + "/#code=")
                    .doesNotContain(server.token());
            String body = "{\"%s\"}".formatted(login.getFragment().replace("=", "\":\""));
            URI session = server.address().resolve("/api/v1/session");
            HttpResponse<String> opened = post(session, body, Map.of());
            assertThat(opened.statusCode()).isEqualTo(204);
            String cookie = opened.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie)
                    .startsWith("escapement-" + server.address().getPort() + "=")
                    .contains("HttpOnly", "SameSite=Strict");
            assertThat(post(session, body, Map.of()).statusCode()).isEqualTo(401);
            assertThat(post(session, "{\"token\":\"wrong\"}", Map.of()).statusCode())
                    .isEqualTo(401);
            assertThat(post(session, "{\"token\":\"%s\"}".formatted(server.token()), Map.of())
                            .statusCode())
                    .isEqualTo(204);

            String value = cookie.split(";", 2)[0];
            HttpRequest.Builder read = HttpRequest.newBuilder(session).header("Cookie", value);
            assertThat(send(read).body()).contains("\"token-holder\"").contains("\"proven\":false");
            assertThat(send(HttpRequest.newBuilder(session).header("Cookie", value.substring(0, value.length() - 1)))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void cookieAloneDoesNotAllowForeignPagesToChangeAnything(@TempDir Path folder) throws Exception {
        try (StandaloneServer server = start(folder)) {
            URI session = server.address().resolve("/api/v1/session");
            String cookie = post(session, "{\"token\":\"%s\"}".formatted(server.token()), Map.of())
                    .headers()
                    .firstValue("Set-Cookie")
                    .map(header -> header.split(";", 2)[0])
                    .orElseThrow();
            URI clear = server.address().resolve("/api/v1/targets/clear");
            String body = "{\"target\": \"node/a\", \"reason\": \"looked\"}";
            assertThat(clear(clear, body, cookie, Optional.empty())).isEqualTo(403);
            assertThat(clear(clear, body, cookie, Optional.of("http://evil.example")))
                    .isEqualTo(403);
            String otherPort = "http://127.0.0.1:1";
            assertThat(clear(clear, body, cookie, Optional.of(otherPort))).isEqualTo(403);
            assertThat(clear(clear, body, cookie, Optional.of(server.address().toString())))
                    .isEqualTo(200);
            HttpRequest.Builder foreignRead = HttpRequest.newBuilder(
                            server.address().resolve("/api/v1/policy"))
                    .header("Cookie", cookie)
                    .header("Sec-Fetch-Site", "same-site");
            assertThat(send(foreignRead).statusCode()).isEqualTo(403);
        }
    }

    private int clear(URI address, String body, String cookie, Optional<String> origin) throws Exception {
        Map<String, String> headers =
                origin.map(given -> Map.of("Cookie", cookie, "Origin", given)).orElse(Map.of("Cookie", cookie));
        return post(address, body, headers).statusCode();
    }
}
