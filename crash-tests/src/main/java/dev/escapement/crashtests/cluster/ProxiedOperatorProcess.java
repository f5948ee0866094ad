package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.proxy.FaultProxy;
import dev.escapement.crashtests.kit.JavaTools;
import dev.escapement.crashtests.kit.ServerProcess;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The packaged operator in a process of its own, connected to the API server through a proxy of its own. If it exits
 * unexpectedly it is restarted, as a kubelet does, and the exit is counted.
 */
final class ProxiedOperatorProcess extends ServerProcess {

    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);

    private final FaultProxy proxy;
    private final AtomicInteger unexpectedExits = new AtomicInteger();
    private boolean exitExpected;

    private ProxiedOperatorProcess(
            List<String> command, Map<String, String> environment, int port, Path data, FaultProxy proxy)
            throws IOException {
        super(command, environment, port, data);
        this.proxy = proxy;
        restartOnExit();
    }

    /** @param kubeconfig of its service account; the operator gets a copy with the address of the proxy */
    static ProxiedOperatorProcess start(
            Path jar, Path data, Path kubeconfig, Map<String, String> environment, FaultProxy proxy)
            throws IOException {
        Path proxied = Files.createDirectories(data).resolve("kubeconfig");
        Files.writeString(
                proxied,
                Files.readString(kubeconfig)
                        .replaceAll("server: .*", "server: " + proxy.address())
                        .replaceAll("(?m)^ *certificate-authority: .*\n", ""));
        int port = FreePorts.allocateOne();
        List<String> command = new ArrayList<>(jarCommand(jar, "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.addAll(List.of("operator", "--no-leader-election", "--kubeconfig", proxied.toString()));
        command.addAll(
                List.of("--data", data.toString(), "--port", Integer.toString(port), "--authentication", "none"));
        return new ProxiedOperatorProcess(command, environment, port, data, proxy);
    }

    FaultProxy proxy() {
        return proxy;
    }

    private void restartOnExit() {
        var unused = handle().onExit().thenAccept(this::onExit);
    }

    private synchronized void onExit(ProcessHandle exited) {
        if (exited.equals(handle()) && !exitExpected) {
            unexpectedExits.incrementAndGet();
            ConditionPoller.sleep(RESTART_DELAY);
            restart();
        }
    }

    /** Returns how often it exited without being killed or stopped. */
    int unexpectedExits() {
        return unexpectedExits.get();
    }

    @Override
    public void kill() {
        expectExit();
        super.kill();
    }

    private synchronized void expectExit() {
        exitExpected = true;
    }

    @Override
    public synchronized void restart() {
        exitExpected = false;
        super.restart();
        restartOnExit();
    }

    /** Stops the process with SIGSTOP: its connections stay open, and it does nothing. */
    void freeze() {
        sendSignal("-STOP");
    }

    /** Continues the process after {@link #freeze}. */
    void thaw() {
        sendSignal("-CONT");
    }

    private void sendSignal(String signal) {
        try {
            new ProcessBuilder("/bin/kill", signal, Long.toString(handle().pid()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Appends a thread dump to a file beside the log, to find out why the operator makes no progress. */
    void dumpThreads() {
        try {
            Files.writeString(
                    log().resolveSibling("threads-" + handle().pid() + ".txt"),
                    JavaTools.jcmd(handle(), "Thread.print"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    protected boolean hasExitedForGood() {
        return false;
    }

    @Override
    public void close() {
        thaw();
        expectExit();
        super.close();
        proxy.close();
    }
}
