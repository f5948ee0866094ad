package dev.escapement.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.server.standalone.StandaloneServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands against a real server with real processes. */
class StandaloneEndToEndTest {

    private final Path folder;
    private final StandaloneServer server;
    private final CommandLineHarness cli;

    StandaloneEndToEndTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        Path workflows = Files.createDirectories(folder.resolve("workflows"));
        writeWorkflow(workflows, "greet", "echo hello $WHO; echo on $TARGET_RESOURCE");
        writeWorkflow(workflows, "break", "echo before; exit 3");
        // Runs until a file exists, so that the test does not depend on timing.
        writeWorkflow(
                workflows, "wait", "echo waiting; until [ -e '" + folder.resolve("go") + "' ]; do sleep 0.05; done");
        Files.writeString(
                workflows.resolve("absent.yaml"),
                "id: absent\ntasks:\n  - {name: t, command: [no-such-program-anywhere]}\n");
        server = StandaloneServer.start(SettingsReader.read(new SettingsSources(
                Map.of(
                        "data",
                        folder.resolve("data").toString(),
                        "workflows",
                        workflows.toString(),
                        "port",
                        "0",
                        "log-level",
                        "error"),
                Map.of(),
                folder,
                folder)));
        cli = createClient();
    }

    private CommandLineHarness createClient() {
        CommandLineHarness client = new CommandLineHarness(folder);
        client.environment.put("ESCAPEMENT_SERVER", server.address().toString());
        client.environment.put("ESCAPEMENT_TOKEN", server.token());
        client.environment.put("USER", "ada");
        return client;
    }

    private static void writeWorkflow(Path workflows, String id, String script) throws IOException {
        Files.writeString(workflows.resolve(id + ".yaml"), """
                id: %s
                version: "1"
                parameters:
                  - {name: WHO, default: world}
                tasks:
                  - name: only
                    command:
                      - sh
                      - -c
                      - |
                        %s
                """.formatted(id, script));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void completesRunKeepsLogsAndSkipsRepeatDuringCooldown() {
        assertThat(cli.run("run", "greet", "node/n", "-p", "WHO=you", "--name", "one", "--wait"))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("Completed after");
        assertThat(cli.run("logs", "-f", "one")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("hello you\n", "on node/n\n");
        assertThat(cli.run("logs", "one")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("hello you\n");
        assertThat(cli.run("explain", "greet", "node/n")).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("RecentlyRemediated");
        assertThat(cli.run("run", "greet", "Node/n", "--wait")).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("Skipped (RecentlyRemediated)", "It may run again at");
        assertThat(cli.run("explain", "greet", "node/m")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("describe", "target", "node/n")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("greet completed: one");
    }

    @Test
    void failedExecutionBlocksTargetUntilCleared() {
        assertThat(cli.run("run", "break", "node/n", "--name", "broken", "--wait"))
                .isEqualTo(ExitCodes.FAILED_DURING_EXECUTION);
        assertThat(cli.run("run", "greet", "node/n", "--wait")).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("PreviousExecutionFailed", "escapement clear node/n");
        assertThat(cli.run("get", "targets", "--state", "failing")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("node/n  Blocked");
        assertThat(cli.run("describe", "execution", "broken")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("Exit code: 3", "the target is blocked until a person clears it");
        assertThat(cli.run("clear", "node/n", "--reason", "looked at it")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("clear", "node/n", "--reason", "again")).isEqualTo(ExitCodes.NO);
        assertThat(cli.run("run", "greet", "node/n", "--wait")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("describe", "execution", "broken")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("Cleared by ada (unverified): looked at it");
    }

    @Test
    void reportsFailureBeforeExecutionWithNextAllowedTime() {
        assertThat(cli.run("run", "absent", "node/n", "--wait")).isEqualTo(ExitCodes.FAILED_BEFORE_EXECUTION);
        assertThat(cli.out()).contains("no-such-program-anywhere", "The target accepts the next attempt at");
        assertThat(cli.run("run", "nowhere", "node/m", "--wait")).isEqualTo(ExitCodes.FAILED_BEFORE_EXECUTION);
    }

    @Test
    void refusesMalformedTarget() {
        assertThat(cli.run("run", "greet", "no-target", "--wait")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("targetResource", "no-target");
    }

    @Test
    void runningExecutionHoldsTargetAndCanBeCancelledAndDeleted() throws Exception {
        CommandLineHarness waiting = createClient();
        CompletableFuture<Integer> exitCode = waiting.runAsync("run", "wait", "node/n", "--name", "long", "--wait");
        waiting.awaitOutput("Running");
        assertThat(cli.run("run", "greet", "node/n", "--wait")).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("Skipped (ResourceBusy)", "escapement describe execution long");
        assertThat(cli.run("get", "targets", "--state", "held")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("node/n  Held", "long");
        assertThat(cli.run("get", "executions", "--phase", "running", "-o", "name"))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("long");
        assertThat(cli.run("cancel", "long")).isEqualTo(ExitCodes.OK);
        assertThat(exitCode.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.FAILED_DURING_EXECUTION);
        assertThat(waiting.out()).contains("Failed (Cancelled)");
        assertThat(cli.run("delete", "long")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("get", "execution", "long")).isEqualTo(ExitCodes.NOT_FOUND);
    }

    @Test
    void followedLogsAndWatchedListsUpdateWhileRunning() throws Exception {
        CommandLineHarness watching = createClient();
        CompletableFuture<Integer> watch = watching.runAsync("get", "executions", "--watch");
        watching.awaitOutput("NAME");
        assertThat(cli.run("run", "wait", "node/n", "--name", "long")).isEqualTo(ExitCodes.OK);
        CommandLineHarness following = createClient();
        CompletableFuture<Integer> logs = following.runAsync("logs", "-f", "long");
        following.awaitOutput("waiting");
        assertThat(logs).isNotDone();
        Files.createFile(folder.resolve("go"));
        assertThat(logs.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.OK);
        watching.awaitOutput("Completed");
        assertThat(watch).isNotDone();
    }

    @Test
    void applyingSameManifestTwiceCreatesExecutionOnce() {
        cli.stdin = """
                apiVersion: kubernaut.ai/v1alpha1
                kind: WorkflowExecution
                metadata: {name: applied, labels: {team: shop}}
                spec:
                  workflowRef: {workflowId: greet}
                  targetResource: Node/n
                  parameters: {WHO: "1"}
                ---
                {"apiVersion": "kubernaut.ai/v1alpha1", "kind": "WorkflowExecution", "metadata": {"name": "second", "namespace": "shop"},
                 "spec": {"workflowRef": {"workflowId": "greet"}, "targetResource": "node/m"}}
                """;
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines())
                .containsExactly("execution default/applied created", "execution shop/second created");
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines())
                .containsExactly("execution default/applied unchanged", "execution shop/second unchanged");
        cli.stdin = cli.stdin.replace("WHO: \"1\"", "WHO: \"2\"");
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.CONFLICT);
        assertThat(cli.run("get", "execution", "applied", "-o", "yaml")).isEqualTo(ExitCodes.OK);
        cli.stdin = cli.out();
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution default/applied unchanged");
    }

    @Test
    void readsWholeJournalAcrossPages() {
        // More than one page.
        int many = 250;
        StringBuilder manifest = new StringBuilder();
        for (int i = 0; i < many; i++) {
            manifest.append("""
                    ---
                    apiVersion: kubernaut.ai/v1alpha1
                    kind: WorkflowExecution
                    metadata: {name: e%d}
                    spec: {workflowRef: {workflowId: nowhere}, targetResource: node/n%d}
                    """.formatted(i, i));
        }
        cli.stdin = manifest.toString();
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("events", "--all", "--type", "WorkflowAccepted")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines()).hasSize(many);
        assertThat(cli.run("get", "executions", "--all", "-o", "name")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines()).hasSize(many).doesNotHaveDuplicates();
    }

    @Test
    void listsWorkflowsAndEventsOfOneExecution() {
        assertThat(cli.run("run", "greet", "node/b", "--name", "b", "--wait")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("events", "--execution", "b", "--json")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("WorkflowAccepted", "PipelineRunCreated", "WorkflowCompleted");
        assertThat(cli.run("get", "workflows", "-o", "name")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines()).containsExactlyInAnyOrder("absent", "break", "greet", "wait");
        assertThat(cli.run("describe", "workflow", "greet")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("describe", "workflow", "nowhere")).isEqualTo(ExitCodes.NOT_FOUND);
    }
}
