package dev.escapement.testkit.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that ends at the latest with this process.
 *
 * <p>A shell reads a pipe from this process and kills the program when the pipe is closed. So the program ends even if
 * this process is killed. Programs are always stopped by a kill: all state is in etcd, and a graceful stop can take a
 * minute.
 */
final class ManagedProcess implements AutoCloseable {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
    private static final int TAIL_LINES = 8;

    /** {@code wait} returns when the program ends, the reader when the pipe is closed; each ends the other. */
    private static final String WATCHDOG_SCRIPT = "exec 3<&0 0</dev/null; \"$@\" 3<&- & program=$!; "
            + "{ read -r _ <&3; kill -9 $program; } 2>/dev/null & reader=$!; "
            + "exec 3<&-; wait $program; code=$?; kill -9 $reader 2>/dev/null; exit $code";

    private final String name;
    private final Path log;
    private final Process process;

    private ManagedProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /** Starts a program whose output is appended to the log file. */
    static ManagedProcess start(String name, List<String> command, Map<String, String> environment, Path folder) {
        Path log = folder.resolve(name + ".log");
        List<String> supervised = new ArrayList<>(List.of("/bin/sh", "-c", WATCHDOG_SCRIPT, name));
        supervised.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(supervised)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            return new ManagedProcess(name, log, builder.start());
        } catch (IOException refused) {
            throw new ClusterException("cannot start " + name + ": " + refused.getMessage(), refused);
        }
    }

    /** Throws if it has exited, with the last lines of its log. */
    void checkAlive() {
        if (!process.isAlive()) {
            throw new ClusterException("%s ended with exit code %d; the end of its log %s:%n%s"
                    .formatted(name, process.exitValue(), log, logTail()));
        }
    }

    /** Returns its name and the end of its log. */
    String describe() {
        return "%s (end of its log %s:%n%s)".formatted(name, log, logTail());
    }

    /** Freezes it with SIGSTOP, or continues it. */
    void setFrozen(boolean frozen) {
        String signal = frozen ? "-STOP" : "-CONT";
        process.descendants()
                .filter(ProcessHandle::isAlive)
                .forEach(handle -> runCommand(List.of("/bin/kill", signal, Long.toString(handle.pid()))));
    }

    private static void runCommand(List<String> command) {
        try {
            new ProcessBuilder(command).start().waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        List<ProcessHandle> tree = process.descendants().toList();
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            // It has already ended.
        }
        tree.forEach(ProcessHandle::destroyForcibly);
        try {
            if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private String logTail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException unreadable) {
            return "(unreadable: " + unreadable.getMessage() + ")";
        }
    }
}
