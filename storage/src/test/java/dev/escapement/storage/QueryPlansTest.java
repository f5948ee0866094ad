package dev.escapement.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.port.ExecutionQueries.EntryFilter;
import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import dev.escapement.engine.port.PageToken;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every list query reads an index in the right order, so that its cost does not depend on the number of rows. */
class QueryPlansTest {

    private static final int ROWS = 50_000;
    private static final Optional<String> NO_FILTER = Optional.empty();

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void everyListQueryUsesAnIndex(DatabaseKind kind) throws SQLException {
        try (TestDatabase database = kind.create()) {
            database.open();
            fill(database, kind);
            for (ExecutionFilter filter : filters().toList()) {
                for (String token : List.of("", PageToken.encode("25000", "u25000"))) {
                    List<Object> parameters = new ArrayList<>();
                    String sql = SqlExecutionQueries.executions(filter, token, parameters);
                    parameters.add(20L);
                    assertUsesIndex(database, kind, sql, parameters.toArray());
                }
            }
            for (EntryFilter filter : EntryFilter.values()) {
                assertUsesIndex(database, kind, SqlExecutionQueries.entries(filter), "node/t5", 20L);
            }
            // The partial index contains only the few unfinished executions, so sorting them is cheap.
            assertThat(database.explainQuery(UnfinishedExecutions.LIST_NOT_FINAL_SQL, "s1", ""))
                    .contains("executions_unfinished");
            assertUsesIndex(database, kind, SqlExecutionStore.LIST_PENDING_SQL, "node/t5");
            assertUsesIndex(database, kind, Database.EXPIRATION_CANDIDATES_SQL, 100L, 20);
            assertUsesIndex(database, kind, Database.FINISHED_EXECUTIONS_SQL, 40_000L, 25_000L, "u25000", 20L);
        }
    }

    private static void fill(TestDatabase database, DatabaseKind kind) throws SQLException {
        String from = " FROM " + database.numbersTable(ROWS);
        database.execute("INSERT INTO executions SELECT 'u' || n, 'ns' || (n % 3), 'e' || n, n, 'Completed', n > 100,"
                + " 'w' || (n % 5), 'node/t' || (n % 10), 's' || (n % 2), n, '{}'" + from);
        database.execute(
                "INSERT INTO ledger SELECT 'node/t' || n, 'wfe-' || n, CASE WHEN n % 100 = 0 THEN 'u' || n ELSE ''"
                        + " END, n % 100 = 1, n, n, '{}'" + from);
        if (kind == DatabaseKind.POSTGRESQL) {
            database.execute("ANALYZE");
        }
    }

    private static Stream<ExecutionFilter> filters() {
        return Stream.of(NO_FILTER, Optional.of("ns1"))
                .flatMap(namespace -> Stream.of(
                        new ExecutionFilter(namespace, NO_FILTER, NO_FILTER, NO_FILTER),
                        new ExecutionFilter(namespace, Optional.of("Completed"), NO_FILTER, NO_FILTER),
                        new ExecutionFilter(namespace, NO_FILTER, Optional.of("w1"), NO_FILTER),
                        new ExecutionFilter(namespace, NO_FILTER, NO_FILTER, Optional.of("node/t7"))));
    }

    private static void assertUsesIndex(TestDatabase database, DatabaseKind kind, String sql, Object... parameters)
            throws SQLException {
        assertThat(database.explainQuery(sql, parameters))
                .as(kind + ": " + sql)
                .containsIgnoringCase("index")
                .doesNotContain("TEMP B-TREE", "Sort", "Seq Scan", "Bitmap")
                .doesNotContainPattern("SCAN (executions|ledger)(?! USING)");
    }
}
