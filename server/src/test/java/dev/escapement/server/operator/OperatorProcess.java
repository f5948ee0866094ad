package dev.escapement.server.operator;

import dev.escapement.cluster.testing.TestCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An operator in a process of its own, to be killed or stopped at any moment. */
public final class OperatorProcess implements AutoCloseable {

    private final Process process;

    private OperatorProcess(Process process) {
        this.process = process;
    }

    /** Starts one that runs executions as Jobs, and returns when it works. */
    public static OperatorProcess start(TestCluster cluster, Path folder, String... more) {
        OperatorHarness.install(cluster);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.escapement.server.Main",
                "operator",
                "--no-leader-election",
                "--engine=job",
                "--port=0",
                "--data=" + folder,
                "--kubeconfig="
                        + cluster.tokenFor(OperatorHarness.SYSTEM, "escapement").kubeconfig()));
        command.addAll(List.of(more));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            OperatorProcess started = new OperatorProcess(process);
            started.awaitWord("Ctrl-C stops the operator");
            return started;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void awaitWord(String word) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.contains(word)) {
                return;
            }
        }
        throw new AssertionError("the operator has ended before it worked");
    }

    /** For signals. */
    public long pid() {
        return process.pid();
    }

    /** What a lost machine looks like. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks it to end; returns its exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the operator does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
