package dev.escapement.benchmarks.standalone;

import dev.escapement.crashtests.kit.RawHttpClient;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@link NoOpServerMain} in its process. */
final class NoOpServerProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;
    private final int port;

    NoOpServerProcess(Path data, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NoOpServerMain.class.getName()))
                .redirectError(data.resolve("server.log").toFile());
        builder.environment().putAll(environment);
        builder.environment()
                .putAll(Map.of(
                        "ESCAPEMENT_DATA", data.toString(),
                        "ESCAPEMENT_PORT", "0",
                        "ESCAPEMENT_LOG_LEVEL", "warn",
                        "ESCAPEMENT_POLICY_COOLDOWN_PERIOD", "0"));
        process = builder.start();
        out = process.inputReader(StandardCharsets.UTF_8);
        in = process.outputWriter(StandardCharsets.UTF_8);
        port = Integer.parseInt(readLine());
    }

    RawHttpClient connect() throws IOException {
        return new RawHttpClient(port);
    }

    /** In use after a collection. */
    long heapUsed() throws IOException {
        in.write("\n");
        in.flush();
        return Long.parseLong(readLine());
    }

    private String readLine() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the server ended; its log is in its data folder");
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        in.close();
        process.onExit().join();
    }
}
