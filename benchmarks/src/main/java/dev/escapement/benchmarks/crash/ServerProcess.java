package dev.escapement.benchmarks.crash;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** One server as a user runs it: the packaged program in a process of its own. */
final class ServerProcess {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path jar;
    private final Path data;
    private final Path workflows;
    private final Map<String, String> environment;
    private final int port;
    private Process process;

    ServerProcess(Path jar, Path data, Path workflows, Map<String, String> environment)
            throws IOException, InterruptedException, TimeoutException {
        this.jar = jar;
        this.data = data;
        this.workflows = workflows;
        this.environment = environment;
        this.port = freePort();
        this.process = launch();
        awaitReady();
    }

    Client client() {
        return new Client(port);
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-jar",
                jar.toString(),
                "up",
                "--port",
                Integer.toString(port),
                "--data",
                data.toString(),
                "--workflows",
                workflows.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        data.resolveSibling(data.getFileName() + ".log").toFile()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** As the kernel does it when memory runs out: no warning, no clean-up. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void restart() throws IOException, InterruptedException, TimeoutException {
        process = launch();
        awaitReady();
    }

    /** As an operator stops it. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    private void awaitReady() throws InterruptedException, TimeoutException {
        Client client = client();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!client.isReady()) {
            if (System.nanoTime() > deadline || !process.isAlive()) {
                throw new TimeoutException("the server on port %d is not ready; see %s.log".formatted(port, data));
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
