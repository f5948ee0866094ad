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
 * A program that lives no longer than this process.
 *
 * <p>A shell stands between: it holds the reading end of a pipe whose writing end is ours, and kills the program when
 * the pipe closes. So the program also ends if this process is killed in a way that leaves no time for anything.
 * Stopping is always a kill: these programs keep nothing that etcd does not keep, and take up to a minute to end in
 * peace.
 */
final class ManagedProcess implements AutoCloseable {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
    private static final int TAIL_LINES = 8;

    /** {@code wait} comes back when the program ends, the reader when the pipe does; each ends the other. */
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

    /** Starts a program that writes all it has to say at the end of the log file. */
    static ManagedProcess start(String name, List<String> command, Map<String, String> environment, Path folder) {
        Path log = folder.resolve(name + ".log");
        List<String> leashed = new ArrayList<>(List.of("/bin/sh", "-c", WATCHDOG_SCRIPT, name));
        leashed.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(leashed)
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

    /** Throws if it has ended, with the last lines that it wrote. */
    void checkAlive() {
        if (!process.isAlive()) {
            throw new ClusterException("%s ended with exit code %d; its log is %s and ends so:%n%s"
                    .formatted(name, process.exitValue(), log, logTail()));
        }
    }

    /** Says that it is alive, and where its log is. */
    String describe() {
        return "%s (log: %s, which ends so:%n%s)".formatted(name, log, logTail());
    }

    /** Stops it from doing anything, as a machine that hangs, or lets it go on. */
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
            // Then it has ended already.
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
