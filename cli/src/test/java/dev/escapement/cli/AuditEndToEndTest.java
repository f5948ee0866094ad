package dev.escapement.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.server.standalone.StandaloneServer;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists, shows, exports and verifies the audit trail of a real server. */
class AuditEndToEndTest {

    private final Path folder;
    private final StandaloneServer server;
    private final CommandLineHarness cli;

    AuditEndToEndTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        Path workflows = Files.createDirectories(folder.resolve("workflows"));
        Files.writeString(
                workflows.resolve("greet.yaml"), "id: greet\ntasks:\n  - {name: t, command: [echo, hello]}\n");
        Map<String, String> settings = Map.of(
                "data",
                folder.resolve("data").toString(),
                "workflows",
                workflows.toString(),
                "port",
                "0",
                "log-level",
                "error");
        server = StandaloneServer.start(SettingsReader.read(new SettingsSources(settings, Map.of(), folder, folder)));
        cli = new CommandLineHarness(folder);
        cli.environment.put("ESCAPEMENT_SERVER", server.address().toString());
        cli.environment.put("ESCAPEMENT_TOKEN", server.token());
        cli.environment.put("USER", "ada");
    }

    @BeforeEach
    void runOnce() {
        assertThat(cli.run("run", "greet", "node/a", "--name", "one", "--wait")).isEqualTo(ExitCodes.OK);
        ConditionPoller.await("the trail has the four records of the execution", () -> {
            cli.run("audit", "list", "-o", "name");
            return cli.out().lines().count() == 4;
        });
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Path export() throws IOException {
        assertThat(cli.run("audit", "export")).isEqualTo(ExitCodes.OK);
        return Files.writeString(folder.resolve("audit.jsonl"), cli.out());
    }

    @Test
    void listsRecordsWithTheirActor() {
        assertThat(cli.run("audit", "list")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("WorkflowAccepted", "default/one", "node/a", "ada");
        assertThat(cli.run("audit", "list", "--type", "WorkflowFailed")).isEqualTo(ExitCodes.OK);
        assertThat(cli.err()).contains("no audit records match");
    }

    @Test
    void showsOneRecord() {
        cli.run("audit", "list", "--type", "WorkflowAccepted", "-o", "name");
        String id = cli.out().strip();
        assertThat(cli.run("audit", "show", id)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains(id, "WorkflowAccepted", "hash: ");
        assertThat(cli.run("audit", "show", "0".repeat(32))).isEqualTo(ExitCodes.NOT_FOUND);
    }

    @Test
    void verifiesTheTrailOfTheServer() {
        assertThat(cli.run("audit", "verify")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("valid: verified=4 last=4 problems=0");
        assertThat(cli.run("audit", "verify", "-o", "json")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("\"problemCount\"");
    }

    @Test
    void verifiesAnExportWithoutAServer() throws IOException {
        Path file = export();
        server.close();
        assertThat(cli.run("audit", "verify", file.toString())).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("valid: verified=4 last=4 problems=0");
        cli.stdin = Files.readString(file);
        assertThat(cli.run("audit", "verify", "-")).isEqualTo(ExitCodes.OK);
    }

    @Test
    void namesWhatWasChangedInAnExport() throws IOException {
        Path file = export();
        List<String> lines = Files.readAllLines(file);
        Files.writeString(file, Files.readString(file).replaceFirst("node/a", "node/b"));
        assertThat(cli.run("audit", "verify", file.toString())).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("entry 1 was changed");
        List<String> fewer = new ArrayList<>(lines);
        fewer.remove(1);
        Files.write(file, fewer);
        assertThat(cli.run("audit", "verify", file.toString())).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("entry 2 was removed");
        assertThat(cli.run("audit", "verify", folder.resolve("none").toString()))
                .isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void exportsCloudEvents() {
        assertThat(cli.run("audit", "export", "--format", "cloudevents", "--after", "3"))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines())
                .singleElement()
                .asString()
                .contains("\"specversion\":\"1.0\"", "\"type\":\"dev.escapement.audit.LockReleased\"", "\"data\":{");
    }
}
