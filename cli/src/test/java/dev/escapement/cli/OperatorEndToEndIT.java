package dev.escapement.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.client.Sleeper;
import dev.escapement.server.operator.OperatorHarness;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands against an operator on a real cluster. */
@ExtendWith(ClusterExtension.class)
class OperatorEndToEndIT {

    private static final String SUCCEEDING_IMAGE = "simulated.local/succeed";

    private final Path folder;
    private final OperatorHarness operator;
    private final String namespace;
    private final String target;
    private final Path kubeconfig;
    private final CommandLineHarness cli;

    OperatorEndToEndIT(TestCluster cluster, @TempDir Path folder) {
        this.folder = folder;
        kubeconfig = cluster.cluster().kubeconfig();
        operator = OperatorHarness.start(cluster, folder, Map.of());
        namespace = cluster.createNamespace("commands");
        target = namespace + "/deployment/shop";
        cli = createClient();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    private CommandLineHarness createClient() {
        CommandLineHarness client = new CommandLineHarness(folder);
        client.environment.put(
                "ESCAPEMENT_SERVER", operator.operator().address().toString());
        client.environment.put("USER", "ada");
        return client;
    }

    private static String[] splitArguments(String words, String... more) {
        List<String> all = new ArrayList<>(List.of(words.split(" ")));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private int runCommand(String words, String... more) {
        return cli.run(splitArguments(words, more));
    }

    private int runAndWait(String name, String image) {
        return runCommand("run repair %s -n %s --name %s --image %s --wait".formatted(target, namespace, name, image));
    }

    /** Matches any column width: other tests have targets too. */
    private boolean targetHasState(String state) {
        return cli.out().lines().anyMatch(line -> line.matches(Pattern.quote(target) + " +" + state + "\\b.*"));
    }

    /** Retries: the ledger is written after the execution, and both are read from caches. */
    private void awaitExitCode(int exitCode, String words, String... more) {
        ConditionPoller.await(words, () -> runCommand(words, more), seen -> seen == exitCode);
    }

    @Test
    void completesRunAndSkipsRepeatDuringCooldown() {
        assertThat(runAndWait("one", SUCCEEDING_IMAGE)).as(cli.err()).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("Completed after");
        awaitExitCode(ExitCodes.NO, "explain repair " + target);
        assertThat(cli.out()).contains("RecentlyRemediated");
        assertThat(runAndWait("two", SUCCEEDING_IMAGE)).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("Skipped (RecentlyRemediated)", "It may run again at");
        assertThat(runCommand("explain other " + target)).isEqualTo(ExitCodes.OK);
        assertThat(runCommand("get executions -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("one", "Completed", "two", "Skipped", target);
        assertThat(runCommand("get execution one -o yaml -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("containerImage: " + SUCCEEDING_IMAGE);
        assertThat(runCommand("describe target " + target)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("repair completed: " + namespace + "/one");
        assertThat(runCommand("logs one -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("kubectl logs -n " + OperatorHarness.RUNS_NAMESPACE + " -l kubernaut.ai/execution-uid=");
    }

    @Test
    void failedExecutionBlocksTargetUntilCleared() {
        assertThat(runAndWait("broken", "simulated.local/exit:3")).isEqualTo(ExitCodes.FAILED_DURING_EXECUTION);
        awaitExitCode(ExitCodes.NO, "explain repair " + target);
        ConditionPoller.await("the target is blocked", () -> {
            runCommand("get targets --state failing");
            return targetHasState("Blocked");
        });
        assertThat(runAndWait("next", SUCCEEDING_IMAGE)).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("PreviousExecutionFailed", "escapement clear " + target);
        assertThat(runCommand("describe execution broken -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("Exit code: 3", "the target is blocked until a person clears it");
        assertThat(runCommand("clear " + target, "--reason", "looked at it")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("cleared by ada (unverified): looked at it");
        awaitExitCode(ExitCodes.OK, "explain repair " + target);
        assertThat(runCommand("clear " + target, "--reason", "again")).isEqualTo(ExitCodes.NO);
        ConditionPoller.await("the clearance is recorded with the execution", () -> {
            runCommand("describe execution broken -n " + namespace);
            return cli.out().contains("Cleared by ada (unverified): looked at it");
        });
        assertThat(runAndWait("last", SUCCEEDING_IMAGE)).isEqualTo(ExitCodes.OK);
    }

    /** The name is that of the credentials, not that of the user of this machine. */
    @Test
    void clearsWithOwnCredentialsOnCluster() {
        assertThat(runAndWait("broken", "simulated.local/exit:3")).isEqualTo(ExitCodes.FAILED_DURING_EXECUTION);
        CommandLineHarness own = new CommandLineHarness(folder);
        own.environment.put("USER", "ada");
        own.environment.put("KUBECONFIG", kubeconfig.toString());
        own.sleeper = Sleeper.realTime();
        assertThat(own.run("clear", target, "--reason", "looked at it"))
                .as(own.err())
                .isEqualTo(ExitCodes.OK);
        assertThat(own.out()).contains("cleared by ").doesNotContain("ada");
        awaitExitCode(ExitCodes.OK, "explain repair " + target);
        assertThat(own.run("clear", target, "--reason", "again")).isEqualTo(ExitCodes.NO);
        assertThat(own.out()).contains("nothing to clear");
        assertThat(own.run("clear", "node/never-seen", "--reason", "again")).isEqualTo(ExitCodes.NO);
    }

    @Test
    void reportsFailureBeforeExecution() {
        assertThat(runCommand("run repair %s -n %s --name nothing --wait".formatted(target, namespace)))
                .isEqualTo(ExitCodes.FAILED_BEFORE_EXECUTION);
        assertThat(cli.out()).contains("containerImage", "The target accepts the next attempt at");
        assertThat(runCommand("run repair no-target -n %s --image %s --wait".formatted(namespace, SUCCEEDING_IMAGE)))
                .as("the schema rejects it")
                .isNotEqualTo(ExitCodes.OK);
        assertThat(cli.out() + cli.err()).contains("kind/name");
        assertThat(runCommand("run repair node/x -n nowhere --image %s --wait".formatted(SUCCEEDING_IMAGE)))
                .isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(cli.err()).contains("nowhere");
    }

    @Test
    void runningExecutionHoldsTargetAndCanBeCancelledAndDeleted() throws Exception {
        CommandLineHarness waiting = createClient();
        CompletableFuture<Integer> exitCode = waiting.runAsync(splitArguments(
                "run repair %s -n %s --name long --image simulated.local/hang --wait".formatted(target, namespace)));
        waiting.awaitOutput("Running");
        assertThat(runAndWait("late", SUCCEEDING_IMAGE)).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("Skipped (ResourceBusy)", "escapement describe execution long -n " + namespace);
        assertThat(runCommand("get targets --state held")).isEqualTo(ExitCodes.OK);
        assertThat(targetHasState("Held")).as(cli.out()).isTrue();
        assertThat(cli.out()).contains("long");
        assertThat(runCommand("get executions --phase running -o name -n " + namespace))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("long");
        assertThat(runCommand("cancel long -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("cancellation requested");
        assertThat(exitCode.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.FAILED_DURING_EXECUTION);
        assertThat(waiting.out()).contains("Failed (Cancelled)");
        assertThat(runCommand("delete long -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("deleted, last phase Failed");
        awaitExitCode(ExitCodes.NOT_FOUND, "get execution long -n " + namespace);
    }

    @Test
    void deletingRunningExecutionReleasesTarget() {
        assertThat(runCommand(
                        "run repair %s -n %s --name gone --image simulated.local/hang".formatted(target, namespace)))
                .isEqualTo(ExitCodes.OK);
        operator.await(namespace, "gone", "Running");
        assertThat(runCommand("delete gone -n " + namespace)).isEqualTo(ExitCodes.OK);
        awaitExitCode(ExitCodes.NOT_FOUND, "get execution gone -n " + namespace);
        ConditionPoller.await("the target is released", () -> {
            runCommand("get targets --state held");
            return !cli.out().contains(target);
        });
    }

    @Test
    void applyingSameManifestTwiceCreatesExecutionOnce() {
        cli.stdin = """
                apiVersion: kubernaut.ai/v1alpha1
                kind: WorkflowExecution
                metadata: {name: applied, namespace: %s, labels: {team: shop}}
                spec:
                  workflowRef: {workflowId: repair, containerImage: %s}
                  targetResource: %s
                  parameters: {WHO: "1"}
                  executionConfig: {timeout: 60s}
                """.formatted(namespace, SUCCEEDING_IMAGE, target);
        assertThat(runCommand("apply -f -")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution %s/applied created".formatted(namespace));
        operator.await(namespace, "applied", "Completed");
        assertThat(runCommand("apply -f -")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution %s/applied unchanged".formatted(namespace));
        cli.stdin = cli.stdin.replace("WHO: \"1\"", "WHO: \"2\"");
        assertThat(runCommand("apply -f -")).isEqualTo(ExitCodes.CONFLICT);
        assertThat(runCommand("get execution applied -o yaml -n " + namespace)).isEqualTo(ExitCodes.OK);
        cli.stdin = cli.out();
        assertThat(runCommand("apply -f -")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution %s/applied unchanged".formatted(namespace));
    }

    @Test
    void listsEventsOfExecutionAndReportsMissingCatalogue() {
        assertThat(runAndWait("reported", SUCCEEDING_IMAGE)).isEqualTo(ExitCodes.OK);
        ConditionPoller.await("all events are published", () -> {
            runCommand("events --all --target " + target);
            return cli.out().contains("LockReleased");
        });
        assertThat(cli.out().lines().map(line -> line.replaceFirst("\\S+ +(\\S+).*", "$1")))
                .containsExactly("WorkflowAccepted", "PipelineRunCreated", "WorkflowCompleted", "LockReleased");
        assertThat(runCommand("events --all --execution reported --target %s --json".formatted(target)))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("\"type\":\"WorkflowCompleted\"");
        assertThat(runCommand("get workflows")).isEqualTo(ExitCodes.OK);
        assertThat(cli.err()).contains("the catalogue only declares parameters");
        assertThat(runCommand("describe workflow repair")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(cli.err()).contains("spec.workflowRef.containerImage");
    }
}
