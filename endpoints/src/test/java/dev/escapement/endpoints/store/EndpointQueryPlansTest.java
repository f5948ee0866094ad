package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.engine.port.PageToken;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import dev.escapement.storage.jdbc.Dialect;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that queries use an index, so that their cost does not grow with endpoints and runs. */
class EndpointQueryPlansTest {

    private static final int ENDPOINTS = 30_000;
    private static final int RUNS_PER_ENDPOINT = 10;
    private static final String NOW = "50000";

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void queriesUseIndexes(DatabaseKind kind) throws SQLException {
        try (TestDatabase world = kind.create()) {
            Database database = world.open();
            fill(world, kind);
            Dialect dialect = database.backend().dialect();

            String claim = world.explainQuery(
                    EndpointLeases.claimSql(dialect, NOW, 1_000),
                    "[{\"r_host\":\"h1\",\"r_running\":4}]",
                    4,
                    100,
                    "t",
                    "w",
                    1L,
                    4);
            assertThat(claim).contains("endpoints_claimable");
            assertNoFullScan(claim);
            if (kind == DatabaseKind.POSTGRESQL) {
                assertThat(claim).contains("LockRows (actual rows=100").doesNotContain("Sort Key: endpoints");
            }
            String next = world.explainQuery(EndpointLeases.nextDueSql(dialect, NOW), "[{\"r_host\":\"h1\"}]");
            assertThat(next).contains("endpoints_claimable");
            assertNoFullScan(next);
            String due = world.explainQuery(EndpointLeases.dueHostsSql(dialect, NOW), "[{\"r_host\":\"h1\"}]");
            assertThat(due).contains("endpoints_claimable");
            assertNoFullScan(due);

            assertNoFullScan(world.explainQuery(SqlRunRecorder.recordSql(dialect), recordBatch()));
            assertNoFullScan(world.explainQuery(
                    RunHistoryTable.deleteExcessSql(database.backend()),
                    "[{\"r_endpoint\":\"e5\",\"r_number\":3}]",
                    501));
            assertNoFullScan(world.explainQuery(SqlEndpointStore.claimDueRemediationsSql(dialect, NOW), 10));
            for (String token : List.of("", PageToken.encode("5000", "e500", "5"))) {
                for (Optional<Boolean> failed :
                        List.of(Optional.<Boolean>empty(), Optional.of(true), Optional.of(false))) {
                    List<Object> parameters = new ArrayList<>();
                    String sql =
                            RunHistoryTable.allRunsSql(new RunFilter(Optional.empty(), failed), token, 20, parameters);
                    assertNoFullScan(world.explainQuery(sql, parameters.toArray()));
                }
            }
            List<Object> parameters = new ArrayList<>();
            String sql = RunHistoryTable.endpointRunsSql(
                    new RunFilter(Optional.of("e7"), Optional.of(true)), PageToken.encode("5"), 20, parameters);
            assertNoFullScan(world.explainQuery(sql, parameters.toArray()));
        }
    }

    private static String recordBatch() {
        return new BatchColumns<String>()
                .with("r_id", "text", id -> id)
                .with("r_token", "text", id -> "t")
                .with("r_revision", "bigint", id -> 1)
                .with("r_remedy_due", "bigint", id -> 1)
                .withPlan(id -> RunHistory.initial(Instant.EPOCH), id -> new PlannedRun(Optional.empty(), "s", "{}"))
                .toJson(List.of("e5"));
    }

    private static void assertNoFullScan(String plan) {
        assertThat(plan)
                .doesNotContain("Seq Scan on endpoints", "Seq Scan on runs")
                .doesNotContainPattern("SCAN (endpoints|runs)(?! USING)");
    }

    private static void fill(TestDatabase world, DatabaseKind kind) throws SQLException {
        world.execute("INSERT INTO endpoints (id, name, host, timeout_millis, created_at, version, revision, archived,"
                + " paused_until, document, origin, failures, last_slot, last_ended, last_retry_after, number, next_at,"
                + " plan_source, plan, lease_token, lease_worker, lease_since, lease_until, due_at, attempts,"
                + " remedy_due, remedy_seen, remedy_run, remedy_requested, remedy)"
                + " SELECT 'e' || n, 'name' || n, 'h' || (n % 1000), 1000, 0, 1, 1, false, 0, '{}', 0, 0, -1, -1, -1, 1,"
                + " n, 's', '{}', '', '', 0, 0, 0, 0, 0, 0, 0, false, '' FROM " + world.numbersTable(ENDPOINTS));
        world.execute(
                "INSERT INTO runs (" + RunHistoryTable.COLUMNS + ") SELECT 'e' || (n / " + RUNS_PER_ENDPOINT + "), n % "
                        + RUNS_PER_ENDPOINT
                        + ", 'name', 1, n, n, n, n, 'w', 's', '{}', 0, 0, 0, '', n % 50 = 0, '', 200, '', 'ok',"
                        + " 2, -1 FROM " + world.numbersTable(ENDPOINTS * RUNS_PER_ENDPOINT));
        if (kind == DatabaseKind.POSTGRESQL) {
            world.execute("ANALYZE endpoints");
            world.execute("ANALYZE runs");
        }
    }
}
