package dev.escapement.crashtests.kit;

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
public final class ServerProcess {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final List<String> command;
    private final Path data;
    private final Map<String, String> environment;
    private final int port;
    private Process process;

    private ServerProcess(List<String> program, Path data, Path workflows, Map<String, String> environment)
            throws IOException, InterruptedException, TimeoutException {
        this.port = freePort();
        this.data = data;
        this.environment = environment;
        this.command = new ArrayList<>(program);
        command.addAll(List.of("up", "--port", Integer.toString(port), "--data", data.toString()));
        command.addAll(List.of("--workflows", workflows.toString()));
        this.process = launch();
        awaitReady();
    }

    /** Starts the jar and waits until it is ready. */
    public static ServerProcess startJar(Path jar, Path data, Path workflows, Map<String, String> environment)
            throws IOException, InterruptedException, TimeoutException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> program =
                List.of(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-jar", jar.toString());
        return new ServerProcess(program, data, workflows, environment);
    }

    /** Starts the launcher and waits until the server is ready. */
    public static ServerProcess startLauncher(Path launcher, Path data, Path workflows)
            throws IOException, InterruptedException, TimeoutException {
        return new ServerProcess(List.of(launcher.toString()), data, workflows, Map.of());
    }

    /** Where it listens. */
    public int port() {
        return port;
    }

    private Process launch() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        data.resolveSibling(data.getFileName() + ".log").toFile()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** As the kernel does it when memory runs out: no warning, no clean-up. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Starts it again on the same port and the same folder. */
    public void restart() throws IOException, InterruptedException, TimeoutException {
        process = launch();
        awaitReady();
    }

    /** As an operator stops it. */
    public void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    private void awaitReady() throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!isReady()) {
            if (System.nanoTime() > deadline || !process.isAlive()) {
                throw new TimeoutException("the server on port %d is not ready; see %s.log".formatted(port, data));
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    private boolean isReady() {
        try (RawHttpClient http = new RawHttpClient(port)) {
            return http.get("/health/ready").status() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
