package dev.escapement.crashtests.kit;

import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Packaged servers on the same workflows and, if the environment names one, on the same database. */
public final class ServerGroup implements AutoCloseable {

    private static final int KILLS_PER_LINE = 10;

    private final List<ServerProcess> servers = new ArrayList<>();

    /** Starts the servers one after the other; returns when all are ready. */
    public ServerGroup(Path jar, Path folder, int count, Path workflows, Map<String, String> environment)
            throws IOException, TimeoutException {
        try {
            for (int i = 0; i < count; i++) {
                Path data = Files.createDirectories(folder.resolve("server-" + i));
                servers.add(ServerProcess.startJar(jar, data, workflows, environment));
            }
        } catch (IOException | TimeoutException failure) {
            close();
            throw failure;
        }
    }

    public List<Integer> ports() {
        return servers.stream().map(ServerProcess::port).toList();
    }

    /**
     * Kills servers at random times, one at a time, and restarts each of them.
     *
     * @param maxPauseMillis between two kills; the minimum is 50 ms
     * @param downtime draws how long a killed server stays down
     */
    public void killAtRandom(int kills, long seed, int maxPauseMillis, Function<SplittableRandom, Duration> downtime)
            throws TimeoutException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int kill = 1; kill <= kills; kill++) {
            ConditionPoller.sleep(Duration.ofMillis(random.nextInt(50, maxPauseMillis)));
            ServerProcess server = servers.get(random.nextInt(servers.size()));
            server.kill();
            ConditionPoller.sleep(downtime.apply(random));
            server.restart();
            server.awaitReady();
            if (kill % KILLS_PER_LINE == 0 || kill == kills) {
                Console.print("  %d of %d kills", kill, kills);
            }
        }
    }

    /** Stops all servers with SIGTERM, so that calls in progress can end. */
    @Override
    public void close() {
        servers.forEach(ServerProcess::close);
    }
}
