package dev.escapement.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.escapement.server.StartException.Obstacle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a server begins and ends, and what can stand in its way. */
class ServerTest {

    private final Path folder;

    ServerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static void refused(ThrowingCallable start, Obstacle obstacle, String... words) {
        assertThatThrownBy(start)
                .asInstanceOf(type(StartException.class))
                .satisfies(refused -> assertThat(refused.obstacle()).isEqualTo(obstacle))
                .satisfies(refused -> assertThat(refused.getMessage()).contains(words));
    }

    @Test
    void oneServerPerDataFolderAndTheSecondLearnsWhichProcessHasIt() {
        try (TestServer first = TestServer.start(folder)) {
            refused(
                    () -> TestServer.start(folder),
                    Obstacle.DATA_FOLDER_IN_USE,
                    folder.resolve("data").toString(),
                    Long.toString(ProcessHandle.current().pid()));
            assertThat(first.get("/health/ready").status()).isEqualTo(200);
        }
        TestServer.start(folder).close();
    }

    @Test
    void aPortInUseIsNamedAndNothingIsLeftOpen() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            String port = Integer.toString(taken.getLocalPort());
            refused(() -> TestServer.start(folder, Map.of("port", port)), Obstacle.ADDRESS, port, "--port");
        }
        TestServer.start(folder).close();
    }

    @Test
    void aDataFolderThatCannotBeWrittenIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("a-file"));
        refused(
                () -> TestServer.start(
                        folder, Map.of("data", file.resolve("below").toString())),
                Obstacle.DATA_FOLDER,
                "a-file",
                "--data");
    }

    @Test
    void aDamagedDatabaseIsNamedAndLeftAsItIs() throws IOException {
        Files.createDirectories(folder.resolve("data"));
        String damaged = "this is no database, it only looks like a file".repeat(100);
        Files.writeString(folder.resolve("data/escapement.db"), damaged);
        refused(() -> TestServer.start(folder), Obstacle.DATABASE, "escapement.db");
        assertThat(Files.readString(folder.resolve("data/escapement.db"))).isEqualTo(damaged);
    }

    @Test
    void aFolderOfWorkflowsThatIsNotThereIsNamed() {
        refused(
                () -> TestServer.start(folder, Map.of("workflows", "nowhere")),
                Obstacle.WORKFLOWS,
                "nowhere",
                "--workflows");
    }

    @Test
    void aRunOutlivesTheServerAndIsFoundAgain() throws IOException {
        Map<String, String> gate = Map.of("GATE", folder.resolve("gate").toString());
        try (TestServer server = TestServer.start(folder)) {
            server.create("patient", "waits", "node/patient", gate);
            server.await("patient", "Running");
        }
        assertThat(folder.resolve("data/server.json")).doesNotExist();
        try (TestServer server = TestServer.start(folder)) {
            assertThat(server.get("/api/v1/executions/patient").text("/status/phase"))
                    .isEqualTo("Running");
            Files.createFile(folder.resolve("gate"));
            server.await("patient", "Completed");
        }
    }

    @Test
    void aRunThatEndsWhileThereIsNoServerIsRecordedAtTheNextStart() throws IOException {
        Map<String, String> gate = Map.of("GATE", folder.resolve("gate").toString());
        try (TestServer server = TestServer.start(folder)) {
            server.create("alone", "waits", "node/alone", gate);
            server.await("alone", "Running");
        }
        Files.createFile(folder.resolve("gate"));
        try (TestServer server = TestServer.start(folder)) {
            server.await("alone", "Completed");
        }
    }

    @Test
    void thePolicyInTheFileChangesWhileTheServerRunsAndABadOneIsRefused() throws IOException {
        try (TestServer server = TestServer.start(folder)) {
            Path file = folder.resolve("data/escapement.yaml");
            Files.writeString(file, "policy: {cooldown-period: 1ms}\n");
            Waiting.until(
                    "the new policy acts",
                    () -> server.get("/api/v1/policy").text("/cooldown-period").equals("1ms"));
            server.create("one", "ok", "node/n", Map.of());
            server.await("one", "Completed");
            server.create("two", "ok", "node/n", Map.of());
            server.await("two", "Completed");
            Files.writeString(file, "policy: {cooldown-period: a while}\n");
            Waiting.until(
                    "the bad policy is refused",
                    () -> server.get("/api/v1/policy")
                            .text("/lastRefused/problems/0")
                            .contains("a while"));
            assertThat(server.get("/api/v1/policy").text("/cooldown-period")).isEqualTo("1ms");
        }
    }
}
