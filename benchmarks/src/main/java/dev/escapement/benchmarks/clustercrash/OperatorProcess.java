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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The packaged operator in a process of its own, talking to the API server through a proxy of its own. If it ends by
 * itself it is started again, as a kubelet does, and that is counted.
 */
final class OperatorProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration PATIENCE_OF_KUBELET = Duration.ofSeconds(30);
    private static final Duration BEFORE_NEXT = Duration.ofSeconds(1);

    private final List<String> command;
    private final Path log;
    private final FaultProxy proxy;
    private final int port;
    private final AtomicInteger gaveUp = new AtomicInteger();
    private Process process;
    private boolean expected;

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
        Process launched = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        var unused = launched.onExit().thenAccept(this::ended);
        return launched;
    }

    private synchronized void ended(Process gone) {
        if (gone == process && !expected) {
            gaveUp.incrementAndGet();
            Wait.pause(BEFORE_NEXT);
            restart();
        }
    }

    /** How often it ended by itself. */
    int gaveUp() {
        return gaveUp.get();
    }

    /** As the kernel does it when memory runs out: no warning, no clean-up. */
    void kill() {
        Process victim;
        synchronized (this) {
            expected = true;
            victim = process;
        }
        victim.destroyForcibly().onExit().join();
    }

    synchronized void restart() {
        try {
            expected = false;
            process = launch();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
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
        long pid;
        synchronized (this) {
            pid = process.pid();
        }
        try {
            new ProcessBuilder("/bin/kill", signal, Long.toString(pid))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** Keeps what all its threads do, for whoever wants to know why it does nothing. */
    void examine() {
        long pid;
        synchronized (this) {
            pid = process.pid();
        }
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            new ProcessBuilder(jcmd, Long.toString(pid), "Thread.print")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            log.resolveSibling("threads-" + pid + ".txt").toFile()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    void awaitReady() throws TimeoutException {
        if (!Wait.until(this::isReady, PATIENCE)) {
            throw new TimeoutException("the operator on port %d is not ready; see %s".formatted(port, log));
        }
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
        Process stopping;
        synchronized (this) {
            expected = true;
            stopping = process;
        }
        stopping.destroy();
        try {
            if (!stopping.waitFor(PATIENCE_OF_KUBELET.toSeconds(), TimeUnit.SECONDS)) {
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
