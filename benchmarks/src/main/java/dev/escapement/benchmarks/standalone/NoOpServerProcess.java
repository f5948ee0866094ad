package dev.escapement.benchmarks.standalone;

import dev.escapement.crashtests.kit.ChildJvm;
import dev.escapement.crashtests.kit.RawHttpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@link NoOpServerMain} in a process of its own. */
final class NoOpServerProcess implements AutoCloseable {

    private final ChildJvm process;
    private final int port;

    NoOpServerProcess(Path data, Map<String, String> database) throws IOException {
        Map<String, String> environment = new TreeMap<>(database);
        environment.putAll(Map.of(
                "ESCAPEMENT_DATA", data.toString(),
                "ESCAPEMENT_PORT", "0",
                "ESCAPEMENT_LOG_LEVEL", "warn",
                "ESCAPEMENT_POLICY_COOLDOWN_PERIOD", "0"));
        process = new ChildJvm(
                NoOpServerMain.class, data.resolve("server.log"), List.of("-Xmx256m"), environment, List.of());
        port = Integer.parseInt(process.readLine());
    }

    RawHttpClient connect() throws IOException {
        return new RawHttpClient(port);
    }

    /** Returns the heap in use after a garbage collection, in bytes. */
    long heapUsed() throws IOException {
        return Long.parseLong(process.sendCommand("heap"));
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
