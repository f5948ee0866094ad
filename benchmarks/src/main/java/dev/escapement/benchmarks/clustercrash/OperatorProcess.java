package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.proxy.FaultProxy;
import dev.escapement.benchmarks.program.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The packaged operator in a process of its own, talking to the API server through a proxy of its own. */
final class OperatorProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final List<String> command;
    private final Path log;
    private final FaultProxy proxy;
    private final int port;
    private Process process;

    /** @param access the kubeconfig of its service account; it gets another address and keeps the token */
    OperatorProcess(Path jar, Path folder, Path access, FaultProxy proxy) throws IOException {
        this.proxy = proxy;
        this.port = freePort();
        this.log = folder.resolveSibling(folder.getFileName() + ".log");
        Path kubeconfig = Files.createDirectories(folder).resolve("kubeconfig");
        Files.writeString(
                kubeconfig,
                Files.readString(access)
                        .replaceAll("server: .*", "server: " + proxy.address())
                        .replaceAll("(?m)^ *certificate-authority: .*\n", ""));
        this.command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-jar",
                jar.toString(),
                "operator",
                "--no-leader-election",
                "--kubeconfig",
                kubeconfig.toString(),
                "--data",
                folder.toString(),
                "--port",
                Integer.toString(port));
        this.process = launch();
    }

    FaultProxy proxy() {
        return proxy;
    }

    /** Where its REST API listens. */
    int port() {
        return port;
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** As the kernel does it when memory runs out: no warning, no clean-up. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void restart() throws IOException {
        process = launch();
    }

    /** As a machine that hangs: nothing is closed, nothing happens. */
    void freeze() {
        signal("-STOP");
    }

    /** Goes on as if nothing had been. */
    void thaw() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            new ProcessBuilder("/bin/kill", signal, Long.toString(process.pid()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    void awaitReady() throws TimeoutException {
        if (!Wait.until(() -> isReady() || !process.isAlive(), PATIENCE) || !process.isAlive()) {
            throw new TimeoutException("the operator on port %d is not ready; see %s".formatted(port, log));
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private boolean isReady() {
        try (RawHttp http = new RawHttp(port)) {
            return http.get("/health/ready").status() == 200;
        } catch (IOException | RuntimeException notYet) {
            return false;
        }
    }

    /** As an operator is stopped in production. */
    @Override
    public void close() {
        thaw();
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            kill();
        }
        proxy.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
