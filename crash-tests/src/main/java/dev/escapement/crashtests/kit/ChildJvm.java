package dev.escapement.crashtests.kit;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Another JVM with the class path of this one. It reads commands from standard input, one per line, and answers each
 * with a line. It exits when its standard input is closed.
 */
public final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;
    private final Path log;

    /** Starts a main class with a heap of 512 MB; its standard error is appended to the log. */
    public ChildJvm(Class<?> main, Path log, List<String> arguments) throws IOException {
        this(main, log, List.of("-Xms512m", "-Xmx512m"), Map.of(), arguments);
    }

    public ChildJvm(
            Class<?> main, Path log, List<String> jvmOptions, Map<String, String> environment, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(JavaTools.path("java"), "-XX:+UseSerialGC"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        this.log = log;
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
        out = process.inputReader(StandardCharsets.UTF_8);
        in = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Returns the next line that it prints.
     *
     * @throws IOException if it has exited
     */
    public String readLine() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("a child process exited too early; see " + log);
        }
        return line;
    }

    /** Sends a command and returns the answer. */
    public String sendCommand(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
        return readLine();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Returns the processor time that it has used, in nanoseconds. */
    public long cpuNanos() {
        return process.info().totalCpuDuration().orElseThrow().toNanos();
    }

    @Override
    public void close() throws IOException {
        in.close();
        process.onExit().join();
    }
}
