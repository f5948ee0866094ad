package dev.escapement.cli.command.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.CommandLineHarness;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code up} with a real server. */
class UpCommandTest {

    private static final Pattern ADDRESS_LINE = Pattern.compile("Escapement is up: (http://127\\.0\\.0\\.1:\\d+)");

    private final Path home;
    private final CommandLineHarness cli;

    UpCommandTest(@TempDir Path home) {
        this.home = home;
        this.cli = new CommandLineHarness(home);
    }

    @Test
    void checkPrintsEverySettingWithItsOrigin() {
        cli.environment.put("ESCAPEMENT_LEASE", "20s");
        assertThat(cli.run("up", "--check", "--port", "9000", "--policy-cooldown-period", "7m"))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .containsPattern("port +9000 +.*--port")
                .containsPattern("lease +20s +.*ESCAPEMENT_LEASE")
                .containsPattern("policy\\.cooldown-period +7m +.*--policy-cooldown-period")
                .containsPattern("host +127\\.0\\.0\\.1 +default");
        assertThat(cli.run("up", "--help")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("--port=VALUE", "--policy-cooldown-period=VALUE", "Default: 8484");
    }

    @Test
    void rejectsAllInvalidSettingsAtOnce() {
        assertThat(cli.run("up", "--port", "99999", "--workers", "none")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("port", "99999", "workers", "none");
        assertThat(cli.run("up", "--host", "0.0.0.0")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("token");
        assertThat(cli.run("up", "--prot", "1")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void servesUntilStoppedAndIsFoundByClient() throws Exception {
        CommandLineHarness server = new CommandLineHarness(home);
        server.interactive = true;
        CompletableFuture<Integer> exitCode = server.runAsync("up", "--port", "0");
        server.awaitOutput("Ctrl-C");
        Matcher address = ADDRESS_LINE.matcher(server.out());
        assertThat(address.find()).isTrue();
        // Without settings a token is needed, and the printed address logs the browser in.
        assertThat(server.out()).containsPattern("dashboard +" + Pattern.quote(address.group(1)) + "/#code=\\S+");
        assertThat(statusWithoutToken(address.group(1) + "/api/v1/policy")).isEqualTo(401);
        // The client reads the address from server.json.
        assertThat(cli.run("get", "workflows")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("up", "--port", "0")).isEqualTo(ExitCodes.DATA_UNUSABLE);
        assertThat(cli.err()).contains("used by another server");
        server.shutdownActions.forEach(Runnable::run);
        assertThat(exitCode.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("get", "workflows", "--server", address.group(1))).isEqualTo(ExitCodes.UNREACHABLE);
    }

    /** Output that is no terminal ends up in the journal of the system or in the log of a pod. */
    @ParameterizedTest
    @CsvSource({
        "true, 127.0.0.1, '', true",
        "false, 127.0.0.1, '', false",
        "true, 0.0.0.0, '', false",
        "true, 127.0.0.1, 10.0.0.1, false"
    })
    void printsLoginCodeOnlyOnTerminalOfThisMachine(boolean interactive, String host, String cluster, boolean printed)
            throws Exception {
        cli.interactive = interactive;
        cli.environment.put("ESCAPEMENT_TOKEN", "a-token-long-enough-for-it");
        cli.environment.put("KUBERNETES_SERVICE_HOST", cluster);
        CompletableFuture<Integer> exitCode = cli.runAsync("up", "--port", "0", "--host", host);
        cli.awaitOutput("Ctrl-C");
        assertThat(cli.out())
                .containsPattern("dashboard  http://127\\.0\\.0\\.1:\\d+/" + (printed ? "#code=.{43}\n" : "\n"));
        cli.shutdownActions.forEach(Runnable::run);
        assertThat(exitCode.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.OK);
    }

    private static int statusWithoutToken(String address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .timeout(Duration.ofSeconds(60))
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void clientFindsTokenOfLocalServer() throws Exception {
        CommandLineHarness server = new CommandLineHarness(home);
        server.environment.put("ESCAPEMENT_TOKEN", "a-token-long-enough-for-it");
        CompletableFuture<Integer> exitCode = server.runAsync("up", "--port", "0");
        server.awaitOutput("Ctrl-C");
        assertThat(cli.run("get", "workflows")).isEqualTo(ExitCodes.OK);
        cli.environment.put("ESCAPEMENT_TOKEN", "another-token-than-the-right-one");
        assertThat(cli.run("get", "workflows")).isEqualTo(ExitCodes.UNAUTHORIZED);
        server.shutdownActions.forEach(Runnable::run);
        assertThat(exitCode.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.OK);
    }

    @Test
    void returnsAddressInUseForTakenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(cli.run("up", "--port", port)).isEqualTo(ExitCodes.ADDRESS_IN_USE);
            assertThat(cli.err()).contains("port " + port, "--port");
        }
    }

    @Test
    void returnsDataUnusableForInvalidDataFolder() throws IOException {
        Path file = Files.writeString(home.resolve("file"), "");
        assertThat(cli.run("up", "--port", "0", "--data", file.resolve("below").toString()))
                .isEqualTo(ExitCodes.DATA_UNUSABLE);
        assertThat(cli.err()).contains(file.toString());
    }

    @Test
    void returnsDatabaseUnusableForDamagedDatabase() throws IOException {
        Path data = Files.createDirectories(home.resolve("data"));
        Files.writeString(data.resolve("escapement.db"), "this is no database ".repeat(1_000));
        assertThat(cli.run("up", "--port", "0", "--data", data.toString())).isEqualTo(ExitCodes.DATABASE_UNUSABLE);
        assertThat(cli.err()).contains("escapement.db");
    }
}
