package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.report.MetricsScrape;
import dev.escapement.crashtests.kit.DurablePostgres;
import dev.escapement.crashtests.kit.RawHttpClient;
import dev.escapement.crashtests.kit.ServerProcess;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Measures the SQL statements of the packaged server without due endpoints, with all its timers, by its own metrics.
 */
final class IdleServerCost {

    private static final int ENDPOINTS = 1_000;
    private static final String COUNTER = "escapement_store_statements_total";

    private IdleServerCost() {}

    /**
     * Returns statements per minute, with endpoints that are due in two hours and one scrape of the metrics.
     *
     * @param database the URL of a PostgreSQL database; empty for SQLite
     */
    static double measure(Path jar, Path folder, String database, Duration time) throws Exception {
        Path workflows = Files.createDirectories(folder.resolve("workflows"));
        Map<String, String> environment = database.isEmpty() ? Map.of() : DurablePostgres.serverEnvironment(database);
        try (ServerProcess server = ServerProcess.startJar(
                        jar, Files.createTempDirectory(folder, "server"), workflows, environment);
                RawHttpClient http = new RawHttpClient(server.port())) {
            addEndpoints(http);
            ConditionPoller.sleep(Duration.ofSeconds(3));
            double before = statementCount(http);
            ConditionPoller.sleep(time);
            return (statementCount(http) - before) * 60e3 / time.toMillis();
        }
    }

    private static void addEndpoints(RawHttpClient http) throws IOException {
        List<Map<String, String>> items = IntStream.range(0, ENDPOINTS)
                .mapToObj(i -> Map.of("name", "e" + i, "url", "https://example.com/e" + i, "interval", "2h"))
                .toList();
        http.importEndpoints(items);
    }

    private static double statementCount(RawHttpClient http) throws IOException {
        return MetricsScrape.fetch(http).sum(COUNTER);
    }
}
