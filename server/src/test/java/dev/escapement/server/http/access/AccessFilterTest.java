package dev.escapement.server.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.standalone.TestServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessFilterTest {

    private static final String TOKEN = "correct-horse-battery";

    @Test
    void requiresTokenWhenConfigured(@TempDir Path folder) throws Exception {
        try (TestServer server = TestServer.start(folder, Map.of("token", TOKEN))) {
            for (String path : new String[] {"/api/v1/executions", "/api/v1/events", "/metrics", "/api/v1/nothing"}) {
                assertThat(server.get(path).status()).describedAs(path).isEqualTo(401);
                assertThat(server.get(path).raw().headers().firstValue("WWW-Authenticate"))
                        .isPresent();
            }
            for (String wrong :
                    new String[] {"Bearer wrong-token-entirely", "Bearer " + TOKEN + "x", "Basic " + TOKEN, ""}) {
                assertThat(server.send(server.request("/api/v1/executions")
                                        .header("Authorization", wrong)
                                        .build())
                                .status())
                        .isEqualTo(401);
            }
            assertThat(server.send(server.request("/api/v1/executions")
                                    .header("Authorization", "Bearer " + TOKEN)
                                    .build())
                            .status())
                    .isEqualTo(200);
            for (String path : new String[] {"/", "/health/live", "/health/ready", "/docs", "/openapi.yaml"}) {
                assertThat(server.get(path).status()).describedAs(path).isEqualTo(200);
            }
            Path announced = folder.resolve("data/server.json");
            assertThat(Files.readString(announced))
                    .contains(server.address().toString())
                    .doesNotContain(TOKEN);
            assertThat(Files.readString(folder.resolve("data/token"))).contains(TOKEN);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("data/token"))))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("data"))))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void refusesForeignPagesWithoutToken(@TempDir Path folder) throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            int port = server.address().getPort();
            assertThat(sendRaw(port, "GET", "evil.example:" + port, ""))
                    .contains(" 403 ")
                    .contains("is not loopback");
            assertThat(sendRaw(port, "GET", "127.0.0.1.evil.example", "")).contains(" 403 ");
            assertThat(sendRaw(port, "GET", "localhost:" + port, "")).contains(" 200 ");
            assertThat(sendRaw(port, "GET", "[::1]:" + port, "")).contains(" 200 ");

            assertThat(sendRaw(port, "GET", "localhost", "Sec-Fetch-Site: cross-site\r\n"))
                    .contains(" 403 ");
            assertThat(sendRaw(port, "GET", "localhost", "Sec-Fetch-Site: same-origin\r\n"))
                    .contains(" 200 ");

            String own = "http://127.0.0.1:" + port;
            for (String origin : new String[] {"http://evil.example", "null", "http://127.0.0.1:1", "http://["}) {
                assertThat(post(server, origin)).describedAs(origin).isEqualTo(403);
            }
            assertThat(post(server, own)).isEqualTo(400);
        }
    }

    private static int post(TestServer server, String origin) {
        return server.send(server.request("/api/v1/executions")
                        .header("Origin", origin)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{}"))
                        .build())
                .status();
    }

    private static String sendRaw(int port, String method, String host, String headers) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            out.write("%s /api/v1/policy HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n"
                    .formatted(method, host, headers)
                    .getBytes(StandardCharsets.UTF_8));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void setsSecurityHeaders(@TempDir Path folder) {
        try (TestServer server = TestServer.start(folder)) {
            var headers = server.get("/").raw().headers();
            assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'")
                    .contains("script-src 'self'")
                    .doesNotContain("unsafe");
            assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(headers.firstValue("X-Frame-Options")).contains("DENY");
            assertThat(headers.firstValue("Server")).isEmpty();
            assertThat(server.get("/api/v1/nothing").raw().headers().firstValue("X-Content-Type-Options"))
                    .contains("nosniff");
        }
    }
}
