package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.cluster.ClusterBinaries;
import dev.escapement.testkit.cluster.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the real {@code kubectl} in one namespace.
 *
 * @param folder for its cache and for manifests
 */
public record NamespacedKubectl(Path kubeconfig, String namespace, Path folder) {

    /** Returns the output, standard error included, whatever the exit code is. */
    public String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ClusterBinaries.ofCurrentProcess().folder().resolve("kubectl").toString(),
                "--kubeconfig=" + kubeconfig,
                "--cache-dir=" + folder.resolve("cache"),
                "--namespace=" + namespace));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TestCluster.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return output;
    }

    /** Applies a manifest and returns the output. */
    public String apply(String yaml) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("execution.yaml"), yaml);
        return run("apply", "-f", file.toString());
    }
}
