package dev.escapement.benchmarks.endpoints;

import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.storage.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;

/** Inserts a long history of runs with one statement, with rows as the scheduler writes them. */
final class RunHistoryFiller {

    private static final String PLAN_JSON = "{\"source\":\"BASELINE_INTERVAL\",\"text\":\"" + "x".repeat(400) + "\"}";

    private static final String FILL_SQL = """
            INSERT INTO runs (endpoint, number, name, attempt, slot, due_at, started_at, ended_at, worker, source, story,
                failures_before, failures_after, missed, missed_reason, failed, failure, status, error, excerpt, bytes,
                retry_after)
            WITH RECURSIVE
                e(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM e WHERE n < %d),
                r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < %d)
            SELECT 'e' || e.n, r.n, 'e' || e.n, 1, %3$d + r.n, %3$d + r.n, %3$d + r.n, %3$d + r.n, 'benchmark',
                'BASELINE_INTERVAL', '%4$s', 0, 0, 0, '', false, '', 200, '', 'ok', 2, -1
            FROM r CROSS JOIN e""";

    private RunHistoryFiller() {}

    /**
     * Creates the tables if they are missing, and inserts so many runs for every endpoint.
     *
     * @param place a JDBC URL of PostgreSQL, or an SQLite file that is not open
     */
    static void fill(String place, int endpoints, int runs) throws SQLException {
        try (Database database = EscapementScheduler.openDatabase(place)) {
            database.ping();
        }
        long start = RecordedCall.epochMicros(Instant.now().minus(Duration.ofDays(1)));
        try (Connection connection =
                        DriverManager.getConnection(place.startsWith("jdbc:") ? place : "jdbc:sqlite:" + place);
                Statement statement = connection.createStatement()) {
            statement.execute(FILL_SQL.formatted(endpoints - 1, runs, start, PLAN_JSON));
            statement.execute("ANALYZE");
        }
    }
}
