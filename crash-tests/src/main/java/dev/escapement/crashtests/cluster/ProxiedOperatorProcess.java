package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.proxy.FaultProxy;
import dev.escapement.crashtests.kit.CrashTestWait;
import dev.escapement.crashtests.kit.RawHttpClient;
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
final class ProxiedOperatorProcess implements AutoCloseable {

    private static final Duration READY_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration TERMINATION_GRACE_PERIOD = Duration.ofSeconds(30);
    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);

    private final List<String> command;
    private final Path log;
    private final FaultProxy proxy;
    private final int port;
    private final AtomicInteger unexpectedExits = new AtomicInteger();
    private Process process;
    private boolean exitExpected;

    /** @param access the kubeconfig of its service account; it gets another address and keeps the token */
    ProxiedOperatorProcess(Path jar, Path folder, Path access, FaultProxy proxy) throws IOException {
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
        var unused = launched.onExit().thenAccept(this::onExit);
        return launched;
    }

    private synchronized void onExit(Process gone) {
        if (gone == process && !exitExpected) {
            unexpectedExits.incrementAndGet();
            CrashTestWait.sleep(RESTART_DELAY);
            restart();
        }
    }

    /** How often it ended by itself. */
    int unexpectedExits() {
        return unexpectedExits.get();
    }

    /** As the kernel does it when memory runs out: no warning, no clean-up. */
    void kill() {
        Process victim;
        synchronized (this) {
            exitExpected = true;
            victim = process;
        }
        victim.destroyForcibly().onExit().join();
    }

    synchronized void restart() {
        try {
            exitExpected = false;
            process = launch();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** As a machine that hangs: nothing is closed, nothing happens. */
    void freeze() {
        sendSignal("-STOP");
    }

    /** Goes on as if nothing had been. */
    void thaw() {
        sendSignal("-CONT");
    }

    private void sendSignal(String signal) {
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
    void dumpThreads() {
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
        if (!CrashTestWait.waitUntil(this::isReady, READY_TIMEOUT)) {
            throw new TimeoutException("the operator on port %d is not ready; see %s".formatted(port, log));
        }
    }

    private boolean isReady() {
        try (RawHttpClient http = new RawHttpClient(port)) {
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
            exitExpected = true;
            stopping = process;
        }
        stopping.destroy();
        try {
            if (!stopping.waitFor(TERMINATION_GRACE_PERIOD.toSeconds(), TimeUnit.SECONDS)) {
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
