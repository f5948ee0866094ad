package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Start and stop of a server, and errors that prevent the start. */
class StandaloneServerTest {

    private final Path folder;

    StandaloneServerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static void assertStartRefused(ThrowingCallable start, Reason obstacle, String... words) {
        assertThatThrownBy(start)
                .asInstanceOf(type(StartException.class))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(obstacle))
                .satisfies(refused -> assertThat(refused.getMessage()).contains(words));
    }

    @Test
    void secondServerOnDataFolderIsRefusedWithProcessId() {
        try (TestServer first = TestServer.start(folder)) {
            assertStartRefused(
                    () -> TestServer.start(folder),
                    Reason.DATA_FOLDER_IN_USE,
                    folder.resolve("data").toString(),
                    Long.toString(ProcessHandle.current().pid()));
            assertThat(first.get("/health/ready").status()).isEqualTo(200);
        }
        TestServer.start(folder).close();
    }

    /** Removing many executions takes minutes; takeovers and the release of locks must not wait for it. */
    @Test
    void removesAfterRetentionOnThreadOfItsOwn() {
        try (TestServer server = TestServer.start(folder)) {
            assertThat(server.get("/health/ready").status()).isEqualTo(200);
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .anyMatch(name -> name.startsWith("retention"));
        }
    }

    @Test
    void dataFolderIsInUseWhileServerRuns() {
        Path data = folder.resolve("data");
        assertThat(StandaloneServer.isRunning(data)).isFalse();
        TestServer server = TestServer.start(folder);
        assertThat(StandaloneServer.isRunning(data)).isTrue();
        server.close();
        assertThat(StandaloneServer.isRunning(data)).isFalse();
    }

    @Test
    void refusesPortInUseAndReleasesEverything() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            String port = Integer.toString(taken.getLocalPort());
            assertStartRefused(() -> TestServer.start(folder, Map.of("port", port)), Reason.ADDRESS, port, "--port");
        }
        TestServer.start(folder).close();
    }

    @Test
    void refusesUnwritableDataFolder() throws IOException {
        Path file = Files.createFile(folder.resolve("a-file"));
        assertStartRefused(
                () -> TestServer.start(
                        folder, Map.of("data", file.resolve("below").toString())),
                Reason.DATA_FOLDER,
                "a-file",
                "--data");
    }

    @Test
    void refusesDataFolderThatAllUsersCanWriteTo() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertStartRefused(() -> TestServer.start(folder), Reason.DATA_FOLDER, "writable for all users", "chmod 700");
    }

    @Test
    void filesInReadableDataFolderAreReadableForOwnerOnly() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (TestServer server = TestServer.start(folder)) {
            server.createExecution("secret", "ok", "node/n", Map.of());
            server.awaitPhase("secret", "Completed");
            try (var files = Files.list(data)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .describedAs(file.toString())
                            .isEqualTo("rw-------");
                }
            }
        }
    }

    /** The ledger still needs the execution that causes the cooldown, but not the one that was skipped. */
    @Test
    void removesFinishedExecutionAfterRetention() {
        try (TestServer server = TestServer.start(folder)) {
            server.createExecution("kept", "ok", "node/n", Map.of());
            server.awaitPhase("kept", "Completed");
            server.createExecution("skipped", "ok", "node/n", Map.of());
            server.awaitPhase("skipped", "Skipped");
        }
        try (TestServer server = TestServer.start(folder, Map.of("retention", "0s"))) {
            assertThat(server.get("/api/v1/executions/skipped").status()).isEqualTo(200);
        }
        try (TestServer server = TestServer.start(folder, Map.of("retention", "1ms"))) {
            ConditionPoller.await(
                    "the skipped execution is removed",
                    () -> server.get("/api/v1/executions/skipped").status() == 404);
            assertThat(server.get("/api/v1/executions/kept").status()).isEqualTo(200);
        }
    }

    /** Returns the log lines of a class while a server starts and becomes ready. */
    private List<String> logOfStart(String className, Map<String, String> settings) {
        Logger log = (Logger) LoggerFactory.getLogger(className);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try (TestServer server = TestServer.start(folder, settings)) {
            assertThat(server.get("/health/ready").status()).isEqualTo(200);
        } finally {
            log.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void warnsAboutEmptyDatabaseFile() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.createFile(data.resolve("escapement.db"));
        assertThat(logOfStart("dev.escapement.storage.sqlite.SqliteFile", Map.of()))
                .anyMatch(line -> line.contains("escapement.db is empty"));
    }

    @Test
    void warnsAboutTokenInListOfProcesses() {
        assertThat(logOfStart(StandaloneServer.class.getName(), Map.of("token", "a-token-long-enough")))
                .anyMatch(line -> line.contains("flag --token") && line.contains("list of processes"))
                .noneMatch(line -> line.contains("a-token-long-enough"));
    }

    @Test
    void refusesDamagedDatabaseAndLeavesItUnchanged() throws IOException {
        Files.createDirectories(folder.resolve("data"));
        String damaged = "this is no database, it only looks like a file".repeat(100);
        Files.writeString(folder.resolve("data/escapement.db"), damaged);
        assertStartRefused(() -> TestServer.start(folder), Reason.DATABASE, "escapement.db");
        assertThat(Files.readString(folder.resolve("data/escapement.db"))).isEqualTo(damaged);
    }

    @Test
    void refusesMissingWorkflowFolder() {
        assertStartRefused(
                () -> TestServer.start(folder, Map.of("workflows", "nowhere")),
                Reason.WORKFLOWS,
                "nowhere",
                "--workflows");
    }

    @Test
    void adoptsRunThatOutlivedTheServer() throws IOException {
        Map<String, String> gate = Map.of("GATE", folder.resolve("gate").toString());
        try (TestServer server = TestServer.start(folder)) {
            server.createExecution("patient", "waits", "node/patient", gate);
            server.awaitPhase("patient", "Running");
        }
        assertThat(folder.resolve("data/server.json")).doesNotExist();
        try (TestServer server = TestServer.start(folder)) {
            assertThat(server.get("/api/v1/executions/patient").text("/status/phase"))
                    .isEqualTo("Running");
            Files.createFile(folder.resolve("gate"));
            server.awaitPhase("patient", "Completed");
        }
    }

    @Test
    void recordsAtStartRunThatEndedWhileServerWasDown() throws IOException {
        Map<String, String> gate = Map.of("GATE", folder.resolve("gate").toString());
        try (TestServer server = TestServer.start(folder)) {
            server.createExecution("alone", "waits", "node/alone", gate);
            server.awaitPhase("alone", "Running");
        }
        Files.createFile(folder.resolve("gate"));
        try (TestServer server = TestServer.start(folder)) {
            server.awaitPhase("alone", "Completed");
        }
    }

    @Test
    void reloadsPolicyFromFileAndRejectsInvalidOne() throws IOException {
        try (TestServer server = TestServer.start(folder)) {
            Path file = folder.resolve("data/escapement.yaml");
            Files.writeString(file, "policy: {cooldown-period: 1ms}\n");
            ConditionPoller.await(
                    "the new policy acts",
                    () -> server.get("/api/v1/policy").text("/cooldown-period").equals("1ms"));
            server.createExecution("one", "ok", "node/n", Map.of());
            server.awaitPhase("one", "Completed");
            server.createExecution("two", "ok", "node/n", Map.of());
            server.awaitPhase("two", "Completed");
            Files.writeString(file, "policy: {cooldown-period: a while}\n");
            ConditionPoller.await(
                    "the bad policy is refused",
                    () -> server.get("/api/v1/policy")
                            .text("/lastRefused/problems/0")
                            .contains("a while"));
            assertThat(server.get("/api/v1/policy").text("/cooldown-period")).isEqualTo("1ms");
        }
    }
}
