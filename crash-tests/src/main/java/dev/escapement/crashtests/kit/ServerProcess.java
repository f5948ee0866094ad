package dev.escapement.crashtests.kit;

import dev.escapement.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** A server or an operator as a user runs it: the packaged program in a process of its own. */
public class ServerProcess implements AutoCloseable {

    private static final Duration READY_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

    /** Short, because the time until a server is ready is measured with it. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

    private final List<String> command;
    private final Map<String, String> environment;
    private final int port;
    private final Path log;
    private Process process;

    /**
     * Starts the program.
     *
     * @param port on which it listens, as the command or the environment say
     * @param data its data folder; the log is beside it
     */
    public ServerProcess(List<String> command, Map<String, String> environment, int port, Path data)
            throws IOException {
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
        this.port = port;
        this.log = data.resolveSibling(data.getFileName() + ".log");
        this.process = launch();
    }

    /** Starts a server from the jar and waits until it is ready. */
    public static ServerProcess startJar(Path jar, Path data, Path workflows, Map<String, String> environment)
            throws IOException, TimeoutException {
        return startServer(jarCommand(jar, "-XX:TieredStopAtLevel=1", "-Xmx256m"), data, workflows, environment);
    }

    /** Starts a server with the launcher and waits until it is ready. */
    public static ServerProcess startLauncher(Path launcher, Path data, Path workflows)
            throws IOException, TimeoutException {
        return startServer(List.of(launcher.toString()), data, workflows, Map.of());
    }

    private static ServerProcess startServer(
            List<String> program, Path data, Path workflows, Map<String, String> environment)
            throws IOException, TimeoutException {
        int port = FreePorts.allocateOne();
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("up", "--port", Integer.toString(port), "--data", data.toString()));
        command.addAll(List.of("--workflows", workflows.toString(), "--authentication", "none"));
        ServerProcess server = new ServerProcess(command, environment, port, data);
        server.awaitReady();
        return server;
    }

    /** Returns the command that runs the packaged program, without its arguments. */
    public static List<String> jarCommand(Path jar, String... jvmOptions) {
        List<String> command = new ArrayList<>(List.of(JavaTools.path("java"), "-XX:+UseSerialGC"));
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of("-jar", jar.toString()));
        return command;
    }

    private Process launch() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    public final int port() {
        return port;
    }

    protected final Path log() {
        return log;
    }

    public final synchronized ProcessHandle handle() {
        return process.toHandle();
    }

    /** Kills it with SIGKILL and returns when it has exited. */
    public void kill() {
        ProcessHandle killed = handle();
        killed.destroyForcibly();
        killed.onExit().join();
    }

    /** Starts it again on the same port and the same folder. */
    public synchronized void restart() {
        try {
            process = launch();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Stops it with SIGTERM, and kills it after a minute. */
    @Override
    public void close() {
        ProcessHandle stopping = handle();
        stopping.destroy();
        try {
            stopping.onExit()
                    .orTimeout(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException timeout) {
            kill();
        }
    }

    /**
     * Waits until it is ready.
     *
     * @throws TimeoutException if it is not ready after 90 s, or has exited for good
     */
    public final void awaitReady() throws TimeoutException {
        long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (!isReady()) {
            if (System.nanoTime() - deadline > 0 || hasExitedForGood()) {
                throw new TimeoutException("the program on port %d is not ready; see %s".formatted(port, log));
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    protected boolean hasExitedForGood() {
        return !handle().isAlive();
    }

    private boolean isReady() {
        try (RawHttpClient http = new RawHttpClient(port)) {
            return http.get("/health/ready").status() == 200;
        } catch (IOException | RuntimeException notReady) {
            return false;
        }
    }
}
