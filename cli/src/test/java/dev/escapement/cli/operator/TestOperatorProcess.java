package dev.escapement.cli.operator;

import dev.escapement.server.operator.OperatorHarness;
import dev.escapement.testkit.cluster.TestCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An operator in its own process, which a test can kill or stop. */
public final class TestOperatorProcess implements AutoCloseable {

    private final Process process;

    private TestOperatorProcess(Process process) {
        this.process = process;
    }

    /** Starts an operator without leader election that runs executions as Jobs, and returns when it is up. */
    public static TestOperatorProcess start(TestCluster cluster, Path folder) {
        return start(cluster, folder, "--leader-election=off");
    }

    /** Starts an operator with leader election, and returns when it is a candidate. */
    public static TestOperatorProcess startReplica(TestCluster cluster, Path folder) {
        return start(cluster, folder, "--leader-election=on");
    }

    private static TestOperatorProcess start(TestCluster cluster, Path folder, String election) {
        OperatorHarness.install(cluster);
        return start(createProcess(
                List.of(),
                List.of(
                        "operator",
                        election,
                        "--engine=job",
                        "--port=0",
                        "--data=" + folder,
                        "--kubeconfig="
                                + cluster.kubeconfigFor(OperatorHarness.SYSTEM_NAMESPACE, "escapement")
                                        .file())));
    }

    /** Builds the command line of the program. */
    static ProcessBuilder createProcess(List<String> properties, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(properties);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.escapement.cli.Main"));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    /** Starts the program, and returns when the operator is up. */
    static TestOperatorProcess start(ProcessBuilder program) {
        try {
            Process process =
                    program.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            TestOperatorProcess started = new TestOperatorProcess(process);
            started.awaitOutput("Ctrl-C stops the operator");
            return started;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void awaitOutput(String text) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.contains(text)) {
                return;
            }
        }
        throw new AssertionError("the operator ended before it was up");
    }

    public long pid() {
        return process.pid();
    }

    /** Sends SIGKILL, and waits until the process has ended. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Sends SIGTERM, and returns the exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the operator did not end within 30 s");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
