package dev.escapement.server.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.server.http.access.AccessMatrix.Operation;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** With a token per person, each right allows exactly its operations, and the name of the token is recorded. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RightsTest {

    private static final String TARGET = "node/rights";

    private final Path tokens;
    private final TestServer server;

    RightsTest(@TempDir Path folder) throws IOException {
        tokens = folder.resolve("tokens.yaml");
        String entries = Stream.of(Right.values())
                .map(right -> entry(right.toString(), right.toString()))
                .reduce("tokens:\n", String::concat);
        writeTokens(entries + entry("gate", "proxy, view"));
        server = TestServer.start(folder, proxySettings("127.0.0.1", "127.0.0.1"));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static String tokenOf(String name) {
        return "the-token-of-" + name;
    }

    private static String entry(String name, String rights) {
        return "- {name: %s, sha256: %s, rights: [%s]}\n".formatted(name, TokenTable.digest(tokenOf(name)), rights);
    }

    private void writeTokens(String yaml) throws IOException {
        Files.writeString(tokens, yaml);
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    }

    private HttpRequest.Builder request(String name, String path) {
        return server.request(path).header("Authorization", "Bearer " + tokenOf(name));
    }

    private ServerResponse send(String name, String method, String path, String body) {
        return server.send(request(name, path)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build());
    }

    /** One test per cell of the table in the documentation. */
    @TestFactory
    Stream<DynamicTest> eachRightAllowsExactlyItsOperations() throws IOException {
        List<Operation> operations = AccessMatrix.read();
        return operations.stream()
                .flatMap(operation -> Stream.of(Right.values())
                        .map(right -> DynamicTest.dynamicTest(
                                operation.method() + " " + operation.path() + " with " + right,
                                () -> assertCell(operation, right))));
    }

    private void assertCell(Operation operation, Right right) {
        // Names that do not exist: an allowed request gets past the check of the right, and changes nothing.
        String path = operation.path().replace("{name}", "none").replace("{id}", "node%2Fnone");
        String query = path.equals("/api/v1/events") ? "?follow=false" : "";
        ServerResponse answer = send(right.toString(), operation.method(), path + query, "");
        boolean allowed = operation.rights().contains(right);
        if (allowed) {
            assertThat(answer.status()).describedAs(answer.raw().body()).isNotIn(401, 403);
        } else {
            assertThat(answer.status()).describedAs(answer.raw().body()).isEqualTo(403);
            assertThat(answer.message())
                    .contains("needs the right ")
                    .contains("token of " + right + " has only " + right);
        }
        ServerResponse nobody = server.send(server.request(path)
                .method(operation.method(), BodyPublishers.noBody())
                .build());
        assertThat(nobody.status()).isEqualTo(401);
    }

    @Test
    void recordsNameOfToken() {
        ServerResponse created =
                send("run", "POST", "/api/v1/executions", TestServer.executionJson("bad", "fails", TARGET, Map.of()));
        assertThat(created.status()).isEqualTo(201);
        ConditionPoller.await(
                "it fails",
                () -> send("view", "GET", "/api/v1/executions/bad", "")
                        .text("/status/phase")
                        .equals("Failed"));
        String clear = "{\"target\": \"%s\", \"reason\": \"looked\"%s}";
        ServerResponse forged =
                send("clear", "POST", "/api/v1/targets/clear", clear.formatted(TARGET, ", \"by\": \"somebody\""));
        assertThat(forged.status()).isEqualTo(403);
        assertThat(forged.message()).contains("by is \"somebody\"", "sent by \"clear\"", "leave by out");
        ServerResponse forgedHeader = server.send(request("clear", "/api/v1/targets/clear")
                .header("Content-Type", "application/json")
                .header("X-Escapement-By", "somebody")
                .POST(BodyPublishers.ofString(clear.formatted(TARGET, "")))
                .build());
        assertThat(forgedHeader.status()).isEqualTo(403);
        ConditionPoller.await(
                "it is cleared",
                () -> send("clear", "POST", "/api/v1/targets/clear", clear.formatted(TARGET, ""))
                        .text("/status/clearance/clearedBy")
                        .equals("clear"));
    }

    private static String sessionThroughProxy(TestServer behind, String token) {
        return behind.send(behind.request("/api/v1/session")
                        .header("Authorization", "Bearer " + tokenOf(token))
                        .header("X-Forwarded-User", "ann")
                        .build())
                .body()
                .toString();
    }

    @Test
    void believesProxyOnlyWithItsOwnToken() {
        assertThat(sessionThroughProxy(server, "gate"))
                .isEqualTo("{\"name\":\"ann\",\"rights\":[\"view\"],\"proven\":true}");
        assertThat(sessionThroughProxy(server, "view"))
                .isEqualTo("{\"name\":\"view\",\"rights\":[\"view\"],\"proven\":true}");
        assertThat(sessionThroughProxy(server, "admin")).contains("\"name\":\"admin\"");
        assertThat(server.send(server.request("/api/v1/session")
                                .header("X-Forwarded-User", "ann")
                                .build())
                        .status())
                .isEqualTo(401);
    }

    /** Anybody could name a person in the header. */
    @Test
    void ignoresHeaderFromAddressThatIsNotOfProxy(@TempDir Path folder) {
        try (TestServer other = TestServer.start(folder, proxySettings("127.0.0.1", "192.0.2.1,127.0.0.2"))) {
            assertThat(sessionThroughProxy(other, "gate")).contains("\"name\":\"gate\"");
        }
    }

    @Test
    void believesProxyWithIpv6Address(@TempDir Path folder) {
        try (TestServer other = TestServer.start(folder, proxySettings("::1", "0:0:0:0:0:0:0:1"))) {
            assertThat(sessionThroughProxy(other, "gate")).contains("\"name\":\"ann\"");
        }
    }

    private Map<String, String> proxySettings(String host, String proxyAddress) {
        return Map.of(
                "host",
                host,
                "tokens-file",
                tokens.toString(),
                "proxy-user-header",
                "X-Forwarded-User",
                "proxy-addresses",
                proxyAddress);
    }

    @Test
    void reloadsTokensAndKeepsThemAfterInvalidChange() throws IOException {
        String all = Files.readString(tokens);
        assertThat(send("new", "GET", "/api/v1/policy", "").status()).isEqualTo(401);
        writeTokens(all + entry("new", "view"));
        ConditionPoller.await(
                "the new token is valid",
                () -> send("new", "GET", "/api/v1/policy", "").status() == 200);
        Logger log = (Logger) LoggerFactory.getLogger(TokensFile.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        log.addAppender(lines);
        try {
            writeTokens("tokens: nonsense");
            ConditionPoller.await(
                    "the invalid file was read",
                    () -> lines.list.stream()
                            .anyMatch(line -> line.getFormattedMessage().startsWith("Tokens not changed")));
        } finally {
            log.detachAppender(lines);
        }
        assertThat(send("new", "GET", "/api/v1/policy", "").status())
                .describedAs("the old tokens stay")
                .isEqualTo(200);
        writeTokens(all);
        ConditionPoller.await(
                "the new token is not valid any more",
                () -> send("new", "GET", "/api/v1/policy", "").status() == 401);
        assertThat(send("view", "GET", "/api/v1/policy", "").status()).isEqualTo(200);
    }

    private CompletableFuture<String> openStream(String name, String path) throws Exception {
        HttpResponse<InputStream> stream =
                HttpClient.newHttpClient().send(request(name, path).build(), BodyHandlers.ofInputStream());
        assertThat(stream.statusCode()).isEqualTo(200);
        return CompletableFuture.supplyAsync(
                        () -> {
                            try (InputStream body = stream.body()) {
                                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
                            } catch (IOException failure) {
                                throw new UncheckedIOException(failure);
                            }
                        },
                        task -> NamedThreadFactory.daemonThread("stream-reader", task)
                                .start())
                .orTimeout(60, TimeUnit.SECONDS);
    }

    @Test
    void endOfTokenEndsItsStreams(@TempDir Path folder) throws Exception {
        Path gate = folder.resolve("gate");
        String all = Files.readString(tokens);
        writeTokens(all + entry("watcher", "view"));
        ConditionPoller.await(
                "the token is valid",
                () -> send("watcher", "GET", "/api/v1/policy", "").status() == 200);
        String followed =
                TestServer.executionJson("followed", "waits", "node/followed", Map.of("GATE", gate.toString()));
        assertThat(send("run", "POST", "/api/v1/executions", followed).status()).isEqualTo(201);
        ConditionPoller.await(
                "it runs",
                () -> send("view", "GET", "/api/v1/executions/followed", "")
                        .text("/status/phase")
                        .equals("Running"));
        CompletableFuture<String> events = openStream("watcher", "/api/v1/events");
        CompletableFuture<String> log = openStream("watcher", "/api/v1/executions/followed/logs?follow=true");
        CompletableFuture<String> eventsOfOther = openStream("view", "/api/v1/events");

        writeTokens(all);
        ConditionPoller.await(
                "the token is not valid any more",
                () -> send("watcher", "GET", "/api/v1/policy", "").status() == 401);
        log.get();
        // The end of the execution wakes the streams of events.
        Files.createFile(gate);
        assertThat(events.get()).doesNotContain("WorkflowCompleted");
        assertThat(eventsOfOther).isNotDone();
    }

    /** The content does not change any more when the permissions are corrected. */
    @Test
    void tokenEndsWhenPermissionsOfChangedFileAreCorrected() throws IOException {
        String all = Files.readString(tokens);
        writeTokens(all + entry("leaver", "view"));
        ConditionPoller.await(
                "the token is valid",
                () -> send("leaver", "GET", "/api/v1/policy", "").status() == 200);
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-r--r--"));
        Files.writeString(tokens, all);
        assertThat(ConditionPoller.holdsFor(
                        Duration.ofMillis(500),
                        () -> send("leaver", "GET", "/api/v1/policy", "").status() == 200))
                .describedAs("the old tokens stay while the file is readable for all")
                .isTrue();
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
        ConditionPoller.await(
                "the token is not valid any more",
                () -> send("leaver", "GET", "/api/v1/policy", "").status() == 401);
    }

    @Test
    void nameOfAnotherChangesNoEndpoint() {
        String kept = "{\"name\": \"%s\", \"url\": \"https://example.com/\", \"interval\": \"5m\"}";
        String path = "/api/v1/endpoints";
        assertThat(send("admin", "POST", path, kept.formatted("kept")).status()).isEqualTo(201);
        String before = endpoints();

        assertForgedNameIsRefused("POST", path, kept.formatted("new"));
        assertForgedNameIsRefused("POST", path + "/import", kept.formatted("new"));
        assertForgedNameIsRefused("PUT", path + "/kept", kept.formatted("kept").replace("5m", "7m"));
        assertForgedNameIsRefused("PATCH", path + "/kept", "{\"interval\": \"7m\"}");
        assertForgedNameIsRefused("DELETE", path + "/kept", "");
        assertThat(endpoints()).isEqualTo(before);
    }

    private String endpoints() {
        return send("view", "GET", "/api/v1/endpoints", "").raw().body();
    }

    private void assertForgedNameIsRefused(String method, String path, String body) {
        ServerResponse answer = server.send(request("admin", path)
                .header("Content-Type", "application/json")
                .header("X-Escapement-By", "somebody")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build());
        assertThat(answer.status()).describedAs(method + " " + path).isEqualTo(403);
        assertThat(answer.message()).contains("sent by \"admin\"");
    }
}
