package dev.escapement.benchmarks.standalone;

import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.server.standalone.StandaloneServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Runs the real server with runs that have no effect, in a process of its own. Prints its port; then, for every line
 * that it reads, the bytes of heap in use after a garbage collection.
 */
public final class NoOpServerMain {

    private NoOpServerMain() {}

    /** Reads the settings from the environment. */
    public static void main(String[] args) throws Exception {
        Settings settings = SettingsReader.read(SettingsSources.ofThisProcess(Map.of("authentication", "none")));
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        try (StandaloneServer server = StandaloneServer.start(settings, NoOpRunnerService::new);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(server.address().getPort());
            while (in.readLine() != null) {
                memory.gc();
                System.out.println(memory.getHeapMemoryUsage().getUsed());
            }
        }
    }
}
