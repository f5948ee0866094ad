package dev.escapement.cli.command.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.CommandLineHarness;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code operator} without a cluster. */
class OperatorCommandTest {

    private final Path folder;
    private final CommandLineHarness cli;

    OperatorCommandTest(@TempDir Path folder) {
        this.folder = folder;
        cli = new CommandLineHarness(folder);
    }

    @Test
    void warnsAboutSettingsWithoutEffectOnCluster() throws IOException {
        Path file = Files.writeString(folder.resolve("s.yaml"), "policy: {cooldown-period: 1m}\nkeep-runs: 5\n");
        cli.environment.put("ESCAPEMENT_POLICY_FAILURE_SCOPE", "workflow");
        assertThat(cli.run("operator", "--check", "--config", file.toString(), "--namespace", "ours"))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).doesNotContain("policy.", "\nkeep-runs").contains("execution-namespace");
        assertThat(cli.err().lines())
                .containsExactly(
                        "escapement operator: keep-runs (file %s) has no effect in an operator".formatted(file),
                        ("escapement operator: policy.cooldown-period (file %s) has no effect: an operator reads its policy"
                                        + " from ConfigMap workflowexecution-config in namespace ours")
                                .formatted(file),
                        "escapement operator: policy.failure-scope (environment ESCAPEMENT_POLICY_FAILURE_SCOPE) has no"
                                + " effect: an operator reads its policy from ConfigMap workflowexecution-config in namespace"
                                + " ours");
    }

    @Test
    void returnsClusterUnusableWhenApiServerIsUnreachable() throws IOException {
        Path file = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                users: [{name: u, user: {token: t}}]
                current-context: c
                """);
        assertThat(cli.run("operator", "--kubeconfig", file.toString(), "--data", folder.toString()))
                .isEqualTo(ExitCodes.CLUSTER_UNUSABLE);
        assertThat(cli.err()).contains("the API server at https://127.0.0.1:1", "does not answer");
    }
}
