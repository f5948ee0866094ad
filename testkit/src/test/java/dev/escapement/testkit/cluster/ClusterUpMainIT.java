package dev.escapement.testkit.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

class ClusterUpMainIT {

    private static final Pattern KUBECONFIG = Pattern.compile("export KUBECONFIG=(\\S+)");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Map<String, String> environment = new TreeMap<>();
    private final List<Runnable> stopActions = new ArrayList<>();

    private CompletableFuture<Integer> start(String... options) {
        ClusterUpMain program = new ClusterUpMain(
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8),
                environment,
                Path.of("..").toAbsolutePath().normalize(),
                stopActions::add);
        return CompletableFuture.supplyAsync(() -> {
            try {
                return program.run(Arrays.asList(options));
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        });
    }

    @Test
    void explainsHowToInstallMissingBinaries(@TempDir Path empty) throws Exception {
        environment.put(ClusterBinaries.ENVIRONMENT_VARIABLE, empty.toString());
        assertThat(start().get(60, TimeUnit.SECONDS)).isEqualTo(ClusterUpMain.UNAVAILABLE);
        assertThat(err.toString(UTF_8)).contains("kube-apiserver", "dev/cluster build", "minutes");
    }

    @Test
    void refusesUnknownOptions() throws Exception {
        assertThat(start("--with-tekton").get(60, TimeUnit.SECONDS)).isEqualTo(ClusterUpMain.USAGE);
        assertThat(err.toString(UTF_8)).contains("--with-tekton", "--help");
    }

    @Test
    @ExtendWith(ClusterExtension.class)
    void runsUntilStoppedAndRemovesItsFiles() throws Exception {
        environment.put(
                ClusterBinaries.ENVIRONMENT_VARIABLE,
                ClusterBinaries.ofCurrentProcess().folder().toString());
        CompletableFuture<Integer> exitCode = start("--without-tekton");
        ClusterPoller.waitUntil(
                () -> out.toString(UTF_8).contains("Ctrl-C"), Duration.ofMinutes(2), () -> err.toString(UTF_8));
        Matcher line = KUBECONFIG.matcher(out.toString(UTF_8));
        assertThat(line.find()).isTrue();
        Path kubeconfig = Path.of(line.group(1));
        try (KubernetesClient client = new Kubeconfig(kubeconfig).client()) {
            assertThat(client.nodes().list().getItems()).hasSize(1);
        }
        stopActions.forEach(Runnable::run);
        assertThat(exitCode.get(60, TimeUnit.SECONDS)).isEqualTo(ClusterUpMain.OK);
        assertThat(kubeconfig).doesNotExist();
    }
}
