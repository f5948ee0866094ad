package dev.escapement.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.CommandLineHarness;
import dev.escapement.cli.ExitCodes;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A cluster, started as people start it. */
class ClusterUpMainTest {

    private static final Pattern KUBECONFIG = Pattern.compile("export KUBECONFIG=(\\S+)");

    private final CommandLineHarness cli;

    ClusterUpMainTest(@TempDir Path home) {
        this.cli = new CommandLineHarness(home);
    }

    @Test
    void explainsHowToInstallMissingBinaries() {
        assertThat(cli.run("cluster", "up")).isEqualTo(ExitCodes.CLUSTER_UNUSABLE);
        assertThat(cli.err()).contains("kube-apiserver", "dev/cluster build", "minutes");
    }

    @Test
    @ExtendWith(ClusterExtension.class)
    void runsUntilStoppedAndRemovesItsFiles() throws Exception {
        cli.environment.put(
                ClusterBinaries.ENVIRONMENT_VARIABLE,
                ClusterBinaries.ofCurrentProcess().folder().toString());
        CompletableFuture<Integer> exitCode = cli.runAsync("cluster", "up", "--without-tekton");
        cli.awaitOutput("Ctrl-C");
        Matcher line = KUBECONFIG.matcher(cli.out());
        assertThat(line.find()).isTrue();
        Path kubeconfig = Path.of(line.group(1));
        try (KubernetesClient client = new Kubeconfig(kubeconfig).client()) {
            assertThat(client.nodes().list().getItems()).hasSize(1);
        }
        cli.shutdownActions.forEach(Runnable::run);
        assertThat(exitCode.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.OK);
        assertThat(kubeconfig).doesNotExist();
    }
}
