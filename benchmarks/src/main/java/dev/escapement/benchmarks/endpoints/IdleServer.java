package dev.escapement.benchmarks.endpoints;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.benchmarks.program.RawHttp;
import dev.escapement.benchmarks.program.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What it costs that nothing is due, of the packaged server with all its timers, by its own count. */
final class IdleServer {

    private static final int ENDPOINTS = 1_000;
    private static final String COUNTER = "escapement_store_statements_total ";
    private static final String OF_THE_TEST = "postgres";

    private IdleServer() {}

    /**
     * Statements per minute, with endpoints that are due in two hours and one look at the metrics.
     *
     * @param database the address of a PostgreSQL; empty for SQLite
     */
    static double measure(Path jar, Path folder, String database, Duration time) throws Exception {
        Path workflows = Files.createDirectories(folder.resolve("workflows"));
        ServerProcess server =
                ServerProcess.ofJar(jar, Files.createTempDirectory(folder, "server"), workflows, environment(database));
        try (RawHttp http = new RawHttp(server.port())) {
            add(http);
            Runner.pause(Duration.ofSeconds(3));
            double before = statements(http);
            Runner.pause(time);
            return (statements(http) - before) * 60e3 / time.toMillis();
        } finally {
            server.stop();
        }
    }

    private static Map<String, String> environment(String database) {
        return database.isEmpty()
                ? Map.of()
                : Map.of(
                        "ESCAPEMENT_DATABASE", database.substring(0, database.indexOf('?')),
                        "ESCAPEMENT_DATABASE_USER", OF_THE_TEST,
                        "ESCAPEMENT_DATABASE_PASSWORD", OF_THE_TEST);
    }

    private static void add(RawHttp http) throws IOException {
        List<Map<String, String>> items = IntStream.range(0, ENDPOINTS)
                .mapToObj(i -> Map.of("name", "e" + i, "url", "https://example.com/e" + i, "interval", "2h"))
                .toList();
        RawHttp.Answer answer = http.post(
                "/api/v1/endpoints/import", JsonMapper.builder().build().writeValueAsString(Map.of("items", items)));
        if (answer.status() != 200) {
            throw new IOException("the import was answered with " + answer);
        }
    }

    private static double statements(RawHttp http) throws IOException {
        return http.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(COUNTER))
                .mapToDouble(line -> Double.parseDouble(line.substring(COUNTER.length())))
                .findFirst()
                .orElseThrow(() -> new IOException("the server does not tell " + COUNTER));
    }
}
