package dev.escapement.crashtests.endpoints;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.crashtests.kit.CrashTestWait;
import dev.escapement.crashtests.kit.RawHttpClient;
import dev.escapement.crashtests.kit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/** Packaged servers that share one PostgreSQL. */
final class ServerGroup {

    private static final int IMPORT_BATCHES = 40;
    private static final String POSTGRES_CREDENTIAL = "postgres";

    private final List<ServerProcess> servers = new ArrayList<>();

    ServerGroup(Path jar, Path folder, int count, String url, EndpointsEvidence.TestSettings terms)
            throws IOException, InterruptedException, TimeoutException {
        Path workflows = Files.createDirectories(folder.resolve("workflows"));
        Map<String, String> environment = Map.of(
                "ESCAPEMENT_DATABASE",
                url.substring(0, url.indexOf('?')),
                "ESCAPEMENT_DATABASE_USER",
                POSTGRES_CREDENTIAL,
                "ESCAPEMENT_DATABASE_PASSWORD",
                POSTGRES_CREDENTIAL,
                "ESCAPEMENT_ENDPOINTS_ALLOW",
                "127.0.0.0/8",
                "ESCAPEMENT_ENDPOINTS_LEASE_MARGIN",
                terms.leaseMargin().toMillis() + "ms",
                "ESCAPEMENT_LOG_LEVEL",
                "warn");
        for (int i = 0; i < count; i++) {
            Path data = Files.createDirectories(folder.resolve("server-" + i));
            servers.add(ServerProcess.startJar(jar, data, workflows, environment));
        }
    }

    /**
     * Adds endpoints through the API of every server in turn, spread over an interval, so that calls are under way at
     * any time; returns the names that were acknowledged.
     */
    Set<String> addEndpoints(int count, List<Integer> ports, EndpointsEvidence.TestSettings terms) throws IOException {
        Set<String> names = new TreeSet<>();
        int part = Math.max(1, count / IMPORT_BATCHES);
        for (int from = 0; from < count; from += part) {
            List<Map<String, Object>> items = new ArrayList<>();
            for (int i = from; i < Math.min(count, from + part); i++) {
                Map<String, Object> item = new LinkedHashMap<>();
                item.put("name", "e" + i);
                item.put("url", "http://127.0.0.1:" + ports.get(i % ports.size()) + "/e" + i);
                item.put("timeout", terms.timeout().toMillis() + "ms");
                item.put("interval", terms.interval().toMillis() + "ms");
                items.add(item);
                names.add("e" + i);
            }
            int port = servers.get(from / part % servers.size()).port();
            try (RawHttpClient http = new RawHttpClient(port)) {
                RawHttpClient.Response answer = http.post(
                        "/api/v1/endpoints/import",
                        JsonMapper.builder().build().writeValueAsString(Map.of("items", items)));
                if (answer.status() != 200) {
                    throw new IOException("the import was answered with " + answer);
                }
            }
            CrashTestWait.sleep(terms.interval().dividedBy(IMPORT_BATCHES));
        }
        return names;
    }

    /** One after the other, so that somebody is always there; told how many it were so far. */
    void killAtRandom(int kills, long seed, IntConsumer told)
            throws IOException, InterruptedException, TimeoutException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int kill = 1; kill <= kills; kill++) {
            CrashTestWait.sleep(Duration.ofMillis(random.nextInt(50, 2_000)));
            ServerProcess victim = servers.get(random.nextInt(servers.size()));
            victim.kill();
            if (random.nextInt(4) == 0) {
                CrashTestWait.sleep(Duration.ofMillis(random.nextInt(1_000, 5_000)));
            }
            victim.restart();
            told.accept(kill);
        }
    }

    /** As an operator does it: calls that are under way end. */
    void stop() throws InterruptedException {
        for (ServerProcess server : servers) {
            server.stop();
        }
    }
}
