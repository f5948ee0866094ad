package dev.escapement.cli.option;

import static dev.escapement.cli.SimulatedServer.error;
import static dev.escapement.cli.SimulatedServer.json;
import static dev.escapement.cli.SimulatedServer.text;
import static dev.escapement.cli.SimulatedServer.truncated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.CommandLineHarness;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.SimulatedServer;
import dev.escapement.testkit.FreePorts;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Selection of the server, and handling of unexpected responses. */
class ConnectionOptionsTest {

    private static final String LIST_REQUEST = "GET /api/v1/executions";
    private static final String EMPTY_LIST = "{\"items\":[]}";

    private final Path home;
    private final SimulatedServer server;
    private final CommandLineHarness cli;

    ConnectionOptionsTest(@TempDir Path home) throws IOException {
        this.home = home;
        this.server = new SimulatedServer().respondTo(LIST_REQUEST, EMPTY_LIST);
        this.cli = new CommandLineHarness(home);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void prefersOptionOverEnvironmentOverServerFile() throws IOException {
        Files.createDirectories(home.resolve(".escapement"));
        Files.writeString(home.resolve(".escapement/server.json"), "{\"url\":\"" + server.url() + "\"}");
        assertThat(cli.run("get", "executions")).isEqualTo(ExitCodes.OK);
        cli.environment.put("ESCAPEMENT_SERVER", "http://127.0.0.1:1");
        assertThat(cli.run("get", "executions")).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(cli.err()).contains("no Escapement server at http://127.0.0.1:1 (address from ESCAPEMENT_SERVER)");
        assertThat(cli.run("get", "executions", "--server", server.url() + "/")).isEqualTo(ExitCodes.OK);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void findsServerThroughFileInDataFolder() throws IOException {
        Path data = Files.createDirectories(home.resolve("elsewhere"));
        Files.writeString(data.resolve("server.json"), "{\"url\":\"" + server.url() + "\"}");
        assertThat(cli.run("get", "executions", "--data", data.toString())).isEqualTo(ExitCodes.OK);
        cli.environment.put("ESCAPEMENT_DATA", data.toString());
        assertThat(cli.run("get", "executions")).isEqualTo(ExitCodes.OK);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void explainsHowToStartServerWhenUnreachable() throws IOException {
        String url = "http://127.0.0.1:" + FreePorts.allocateOne();
        assertThat(cli.run("get", "executions", "--server", url)).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(cli.err())
                .isEqualToIgnoringNewLines("escapement get executions: no Escapement server at " + url
                        + " (address from --server): start one with './escapement up', or name another with --server");
        assertThat(cli.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ftp://x", "127.0.0.1:8484", "http://", "http://a b", "http://u:p@host:1", "http://h:1?q=1"})
    void rejectsInvalidServerAddress(String url) {
        assertThat(cli.run("get", "executions", "--server", url)).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("--server is", "it must be an address such as http://127.0.0.1:8484");
    }

    @Test
    void readsTokenFromFileOrEnvironmentAndNeverPrintsIt() throws IOException {
        cli.environment.put("ESCAPEMENT_TOKEN", "from-the-environment");
        cli.run("get", "executions", "--server", server.url());
        Path file = Files.writeString(home.resolve("token"), "from-the-file\n");
        cli.run("get", "executions", "--server", server.url(), "--token-file", file.toString());
        assertThat(server.received())
                .extracting(request -> request.header("Authorization").orElse(""))
                .containsExactly("Bearer from-the-environment", "Bearer from-the-file");
        cli.environment.put("ESCAPEMENT_TOKEN", "two\nlines-secret");
        assertThat(cli.run("get", "executions", "--server", server.url())).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err())
                .contains("the token is empty or has invalid characters")
                .doesNotContain("secret");
        assertThat(cli.run(
                        "get",
                        "executions",
                        "--token-file",
                        home.resolve("absent").toString()))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("absent cannot be read: no such file");
    }

    /** After a server was killed, any user of the machine can listen on its port. */
    @Test
    void sendsLocalTokenOnlyWhileServerHoldsLockOfDataFolder() throws IOException {
        Path data = Files.createDirectories(home.resolve(".escapement"));
        Path token = Files.writeString(data.resolve("token"), "of-the-local-server\n");
        Files.writeString(
                data.resolve("server.json"), "{\"url\":\"%s\", \"tokenFile\":\"%s\"}".formatted(server.url(), token));
        cli.run("get", "executions");
        try (FileChannel lock =
                FileChannel.open(data.resolve("server.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            cli.run("get", "executions");
            assertThat(lock.tryLock()).isNotNull();
            cli.run("get", "executions");
        }
        assertThat(server.received())
                .extracting(request -> request.header("Authorization").orElse(""))
                .containsExactly("", "", "Bearer of-the-local-server");
    }

    @Test
    void explainsWhereToGiveTokenWhenUnauthorized() {
        server.respondTo(LIST_REQUEST, error(401, "a bearer token is needed"));
        assertThat(cli.run("get", "executions", "--server", server.url())).isEqualTo(ExitCodes.UNAUTHORIZED);
        assertThat(cli.err()).contains("a bearer token is needed", "ESCAPEMENT_TOKEN or with --token-file");
    }

    @Test
    void reportsServerErrorForErrorStatusOrUnexpectedBody() {
        server.respondTo(LIST_REQUEST, error(500, "the database is away"));
        assertThat(cli.run("get", "executions", "--server", server.url())).isEqualTo(ExitCodes.SERVER_ERROR);
        assertThat(cli.err()).contains("the database is away");
        server.respondTo(LIST_REQUEST, text(200, "text/html", "<html>hello\u001b[31m</html>"));
        assertThat(cli.run("get", "executions", "--server", server.url())).isEqualTo(ExitCodes.SERVER_ERROR);
        assertThat(cli.err()).contains("not an Escapement server?", "\"<html>hello [31m</html>\"");
        server.respondTo(LIST_REQUEST, text(502, "text/plain", ""));
        assertThat(cli.run("get", "executions", "--server", server.url())).isEqualTo(ExitCodes.SERVER_ERROR);
        assertThat(cli.err()).contains("(HTTP 502; address from --server)", "Response body: empty");
        server.respondTo(LIST_REQUEST, json(200, "[1]"));
        assertThat(cli.run("get", "executions", "--server", server.url())).isEqualTo(ExitCodes.SERVER_ERROR);
        server.respondTo(LIST_REQUEST, json(200, "[".repeat(5_000)));
        assertThat(cli.run("get", "executions", "--server", server.url())).isEqualTo(ExitCodes.SERVER_ERROR);
    }

    @Test
    void printsNothingOfTruncatedResponse() {
        server.respondTo(LIST_REQUEST, truncated("{\"items\":[]"));
        assertThat(cli.run("get", "executions", "--server", server.url())).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(cli.err()).contains(" lost (");
        assertThat(cli.out()).isEmpty();
    }

    @Test
    void doesNotFollowRedirect() {
        server.respondTo(LIST_REQUEST, exchange -> {
            exchange.getResponseHeaders().set("Location", server.url() + "/api/v1/elsewhere");
            exchange.sendResponseHeaders(302, -1);
        });
        assertThat(cli.run("get", "executions", "--server", server.url())).isEqualTo(ExitCodes.SERVER_ERROR);
        assertThat(server.requests()).hasSize(1);
    }
}
