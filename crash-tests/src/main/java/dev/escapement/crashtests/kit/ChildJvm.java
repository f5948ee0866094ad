package dev.escapement.crashtests.kit;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM that takes orders, one a line, and answers each with a line. It ends when nobody gives orders. */
public final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;
    private final Path log;

    /** Starts it. */
    public ChildJvm(Class<?> main, Path log, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xms512m",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        this.log = log;
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        out = process.inputReader(StandardCharsets.UTF_8);
        in = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** The next line that it says. */
    public String readLine() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("a process of the measurement ended too early; see " + log);
        }
        return line;
    }

    /** Gives an order and hears the answer. */
    public String sendCommand(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
        return readLine();
    }

    /** The process itself. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Processor time that it has used, in nanoseconds. */
    public long cpuNanos() {
        return process.info().totalCpuDuration().orElseThrow().toNanos();
    }

    @Override
    public void close() throws IOException {
        in.close();
        process.onExit().join();
    }
}
