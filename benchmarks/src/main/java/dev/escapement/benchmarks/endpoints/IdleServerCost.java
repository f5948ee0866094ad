package dev.escapement.benchmarks.endpoints;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.crashtests.kit.RawHttpClient;
import dev.escapement.crashtests.kit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What it costs that nothing is due, of the packaged server with all its timers, by its own count. */
final class IdleServerCost {

    private static final int ENDPOINTS = 1_000;
    private static final String COUNTER = "escapement_store_statements_total ";
    private static final String POSTGRES_CREDENTIAL = "postgres";

    private IdleServerCost() {}

    /**
     * Statements per minute, with endpoints that are due in two hours and one look at the metrics.
     *
     * @param database the address of a PostgreSQL; empty for SQLite
     */
    static double measure(Path jar, Path folder, String database, Duration time) throws Exception {
        Path workflows = Files.createDirectories(folder.resolve("workflows"));
        ServerProcess server = ServerProcess.startJar(
                jar, Files.createTempDirectory(folder, "server"), workflows, environment(database));
        try (RawHttpClient http = new RawHttpClient(server.port())) {
            addEndpoints(http);
            ScenarioRunner.sleep(Duration.ofSeconds(3));
            double before = statementCount(http);
            ScenarioRunner.sleep(time);
            return (statementCount(http) - before) * 60e3 / time.toMillis();
        } finally {
            server.stop();
        }
    }

    private static Map<String, String> environment(String database) {
        return database.isEmpty()
                ? Map.of()
                : Map.of(
                        "ESCAPEMENT_DATABASE", database.substring(0, database.indexOf('?')),
                        "ESCAPEMENT_DATABASE_USER", POSTGRES_CREDENTIAL,
                        "ESCAPEMENT_DATABASE_PASSWORD", POSTGRES_CREDENTIAL);
    }

    private static void addEndpoints(RawHttpClient http) throws IOException {
        List<Map<String, String>> items = IntStream.range(0, ENDPOINTS)
                .mapToObj(i -> Map.of("name", "e" + i, "url", "https://example.com/e" + i, "interval", "2h"))
                .toList();
        RawHttpClient.Response answer = http.post(
                "/api/v1/endpoints/import", JsonMapper.builder().build().writeValueAsString(Map.of("items", items)));
        if (answer.status() != 200) {
            throw new IOException("the import was answered with " + answer);
        }
    }

    private static double statementCount(RawHttpClient http) throws IOException {
        return http.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(COUNTER))
                .mapToDouble(line -> Double.parseDouble(line.substring(COUNTER.length())))
                .findFirst()
                .orElseThrow(() -> new IOException("the server does not tell " + COUNTER));
    }
}
