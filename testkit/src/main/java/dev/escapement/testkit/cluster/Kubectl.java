package dev.escapement.testkit.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Applies manifests with the real kubectl.
 *
 * @param program its path
 * @param kubeconfig its identity
 * @param folder for its cache and its log
 */
record Kubectl(Path program, Path kubeconfig, Path folder) {

    /** Applies a file, or all manifests of a folder, with server-side apply. */
    void apply(Path manifests, Duration timeout) {
        Path log = folder.resolve("kubectl.log");
        List<String> command = List.of(
                program.toString(),
                "--kubeconfig=" + kubeconfig,
                "--cache-dir=" + folder.resolve("kubectl"),
                "apply",
                "--server-side",
                "--filename=" + manifests);
        try {
            Process kubectl = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!kubectl.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                kubectl.destroyForcibly();
                throw new ClusterException("kubectl did not finish applying " + manifests + "; its log is " + log);
            }
            if (kubectl.exitValue() != 0) {
                throw new ClusterException("kubectl could not apply %s; its log is %s:%n%s"
                        .formatted(manifests, log, Files.readString(log)));
            }
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while " + manifests + " was applied", interrupted);
        }
    }
}
