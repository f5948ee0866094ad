package dev.escapement.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.server.ConditionPoller;
import dev.escapement.server.operator.OperatorHarness;
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

/** The commands against an operator on a real cluster: what they say is what they say without one. */
@ExtendWith(ClusterExtension.class)
class OperatorEndToEndTest {

    private static final String SUCCEEDS = "simulated.local/succeed";

    private final Path folder;
    private final OperatorHarness operator;
    private final String namespace;
    private final String target;
    private final CommandLineHarness cli;

    OperatorEndToEndTest(TestCluster cluster, @TempDir Path folder) {
        this.folder = folder;
        operator = OperatorHarness.start(cluster, folder, Map.of());
        namespace = cluster.freshNamespace("people");
        target = namespace + "/deployment/shop";
        cli = client();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    private CommandLineHarness client() {
        CommandLineHarness client = new CommandLineHarness(folder);
        client.environment.put(
                "ESCAPEMENT_SERVER", operator.operator().address().toString());
        client.environment.put("USER", "ada");
        return client;
    }

    private static String[] words(String words, String... more) {
        List<String> all = new ArrayList<>(List.of(words.split(" ")));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private int ask(String words, String... more) {
        return cli.run(words(words, more));
    }

    private int run(String name, String image) {
        return ask("run repair %s -n %s --name %s --image %s --wait".formatted(target, namespace, name, image));
    }

    /** How wide the columns are is up to the targets of others. */
    private boolean targetIs(String state) {
        return cli.out().lines().anyMatch(line -> line.matches(Pattern.quote(target) + " +" + state + "\\b.*"));
    }

    /** The ledger is written after the execution, and both are seen by watches. */
    private void eventually(int exitCode, String words, String... more) {
        ConditionPoller.await(words, () -> ask(words, more), seen -> seen == exitCode);
    }

    @Test
    void aRunCompletesAndIsNotDoneAgainTooSoon() {
        assertThat(run("one", SUCCEEDS)).as(cli.err()).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("Completed after");
        eventually(ExitCodes.NO, "explain repair " + target);
        assertThat(cli.out()).contains("RecentlyRemediated");
        assertThat(run("two", SUCCEEDS)).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("Skipped (RecentlyRemediated)", "It may run again at");
        assertThat(ask("explain other " + target)).isEqualTo(ExitCodes.OK);
        assertThat(ask("get executions -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("one", "Completed", "two", "Skipped", target);
        assertThat(ask("get execution one -o yaml -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("containerImage: " + SUCCEEDS);
        assertThat(ask("describe target " + target)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("repair completed: " + namespace + "/one");
        assertThat(ask("logs one -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("kubectl logs -n " + OperatorHarness.RUNS_NAMESPACE + " -l kubernaut.ai/execution-uid=");
    }

    @Test
    void whatBreaksBlocksUntilItIsCleared() {
        assertThat(run("broken", "simulated.local/exit:3")).isEqualTo(ExitCodes.FAILED_DURING);
        eventually(ExitCodes.NO, "explain repair " + target);
        ConditionPoller.await("it is released", () -> {
            ask("get targets --state failing");
            return targetIs("Blocked");
        });
        assertThat(run("next", SUCCEEDS)).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("PreviousExecutionFailed", "escapement clear " + target);
        assertThat(ask("describe execution broken -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("Exit code: 3", "the target is blocked until a person clears it");
        assertThat(ask("clear " + target, "--reason", "looked at it")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("is cleared by ada: looked at it");
        eventually(ExitCodes.OK, "explain repair " + target);
        assertThat(ask("clear " + target, "--reason", "again")).isEqualTo(ExitCodes.NO);
        ConditionPoller.await("it is on the execution", () -> {
            ask("describe execution broken -n " + namespace);
            return cli.out().contains("Cleared by ada: looked at it");
        });
        assertThat(run("last", SUCCEEDS)).isEqualTo(ExitCodes.OK);
    }

    @Test
    void whatCannotStartIsToldApart() {
        assertThat(ask("run repair %s -n %s --name nothing --wait".formatted(target, namespace)))
                .isEqualTo(ExitCodes.FAILED_BEFORE);
        assertThat(cli.out()).contains("containerImage", "The target may be tried again at");
        assertThat(ask("run repair no-target -n %s --image %s --wait".formatted(namespace, SUCCEEDS)))
                .as("the schema refuses it")
                .isNotEqualTo(ExitCodes.OK);
        assertThat(cli.out() + cli.err()).contains("kind/name");
        assertThat(ask("run repair node/x -n nowhere --image %s --wait".formatted(SUCCEEDS)))
                .isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(cli.err()).contains("nowhere");
    }

    @Test
    void aRunningOneIsSeenHeldCancelledAndDeleted() throws Exception {
        CommandLineHarness waiting = client();
        CompletableFuture<Integer> exitCode = waiting.start(words(
                "run repair %s -n %s --name long --image simulated.local/hang --wait".formatted(target, namespace)));
        waiting.awaitOut("Running");
        assertThat(run("late", SUCCEEDS)).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("Skipped (ResourceBusy)", "escapement describe execution long -n " + namespace);
        assertThat(ask("get targets --state held")).isEqualTo(ExitCodes.OK);
        assertThat(targetIs("Held")).as(cli.out()).isTrue();
        assertThat(cli.out()).contains("long");
        assertThat(ask("get executions --phase running -o name -n " + namespace))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("long");
        assertThat(ask("cancel long -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("is asked to stop");
        assertThat(exitCode.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.FAILED_DURING);
        assertThat(waiting.out()).contains("Failed (Cancelled)");
        assertThat(ask("delete long -n " + namespace)).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("deleted; it was Failed");
        eventually(ExitCodes.NOT_FOUND, "get execution long -n " + namespace);
    }

    @Test
    void aRunningOneThatIsDeletedFreesItsTarget() {
        assertThat(ask("run repair %s -n %s --name gone --image simulated.local/hang".formatted(target, namespace)))
                .isEqualTo(ExitCodes.OK);
        operator.await(namespace, "gone", "Running");
        assertThat(ask("delete gone -n " + namespace)).isEqualTo(ExitCodes.OK);
        eventually(ExitCodes.NOT_FOUND, "get execution gone -n " + namespace);
        ConditionPoller.await("nobody holds it", () -> {
            ask("get targets --state held");
            return !cli.out().contains(target);
        });
    }

    @Test
    void theSameManifestAppliedTwiceAsksOnce() {
        cli.in = """
                apiVersion: kubernaut.ai/v1alpha1
                kind: WorkflowExecution
                metadata: {name: applied, namespace: %s, labels: {team: shop}}
                spec:
                  workflowRef: {workflowId: repair, containerImage: %s}
                  targetResource: %s
                  parameters: {WHO: "1"}
                  executionConfig: {timeout: 60s}
                """.formatted(namespace, SUCCEEDS, target);
        assertThat(ask("apply -f -")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution %s/applied created".formatted(namespace));
        operator.await(namespace, "applied", "Completed");
        assertThat(ask("apply -f -")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution %s/applied unchanged".formatted(namespace));
        cli.in = cli.in.replace("WHO: \"1\"", "WHO: \"2\"");
        assertThat(ask("apply -f -")).isEqualTo(ExitCodes.CONFLICT);
        assertThat(ask("get execution applied -o yaml -n " + namespace)).isEqualTo(ExitCodes.OK);
        cli.in = cli.out();
        assertThat(ask("apply -f -")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution %s/applied unchanged".formatted(namespace));
    }

    @Test
    void theStoryOfOneExecutionIsThereAndThatThereIsNoCatalogue() {
        assertThat(run("told", SUCCEEDS)).isEqualTo(ExitCodes.OK);
        ConditionPoller.await("all is told", () -> {
            ask("events --all --target " + target);
            return cli.out().contains("LockReleased");
        });
        assertThat(cli.out().lines().map(line -> line.replaceFirst("\\S+ +(\\S+).*", "$1")))
                .containsExactly("WorkflowAccepted", "PipelineRunCreated", "WorkflowCompleted", "LockReleased");
        assertThat(ask("events --all --execution told --target %s --json".formatted(target)))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("\"type\":\"WorkflowCompleted\"");
        assertThat(ask("get workflows")).isEqualTo(ExitCodes.OK);
        assertThat(cli.err()).contains("no catalogue on a cluster");
        assertThat(ask("describe workflow repair")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(cli.err()).contains("spec.workflowRef.containerImage");
    }
}
