package dev.escapement.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.port.ExecutionQueries.EntryFilter;
import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every look-up walks an index in the order that it needs: what it costs does not depend on how much there is. */
class PlansTest {

    private static final int ROWS = 50_000;
    private static final Optional<String> ANY = Optional.empty();

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyListWalksAnIndex(Kind kind) throws SQLException {
        try (TestDatabase world = kind.fresh()) {
            world.open();
            fill(world, kind);
            for (ExecutionFilter filter : filters().toList()) {
                for (String token : List.of("", Token.of("25000", "u25000"))) {
                    List<Object> parameters = new ArrayList<>();
                    String sql = SqlDirectory.executions(filter, token, parameters);
                    parameters.add(20L);
                    walksAnIndex(world, kind, sql, parameters.toArray());
                }
            }
            for (EntryFilter filter : EntryFilter.values()) {
                walksAnIndex(world, kind, SqlDirectory.entries(filter), "node/t5", 20L);
            }
            // They are few: the index has nothing else in it, so their order does not matter.
            assertThat(world.plan(FleetRows.Kind.GOING.select(), "s1", "")).contains("executions_unfinished");
            walksAnIndex(world, kind, Database.RESTING, 100L, 20);
        }
    }

    private static void fill(TestDatabase world, Kind kind) throws SQLException {
        String from = " FROM " + world.numbers(ROWS);
        world.execute("INSERT INTO executions SELECT 'u' || n, 'ns' || (n % 3), 'e' || n, n, 'Completed', n > 100,"
                + " 'w' || (n % 5), 'node/t' || (n % 10), 's' || (n % 2), n, '{}'" + from);
        world.execute(
                "INSERT INTO ledger SELECT 'node/t' || n, 'wfe-' || n, CASE WHEN n % 100 = 0 THEN 'u' || n ELSE ''"
                        + " END, n % 100 = 1, n, n, '{}'" + from);
        if (kind == Kind.POSTGRESQL) {
            world.execute("ANALYZE");
        }
    }

    private static Stream<ExecutionFilter> filters() {
        return Stream.of(ANY, Optional.of("ns1"))
                .flatMap(namespace -> Stream.of(
                        new ExecutionFilter(namespace, ANY, ANY, ANY),
                        new ExecutionFilter(namespace, Optional.of("Completed"), ANY, ANY),
                        new ExecutionFilter(namespace, ANY, Optional.of("w1"), ANY),
                        new ExecutionFilter(namespace, ANY, ANY, Optional.of("node/t7"))));
    }

    private static void walksAnIndex(TestDatabase world, Kind kind, String sql, Object... parameters)
            throws SQLException {
        assertThat(world.plan(sql, parameters))
                .as(kind + ": " + sql)
                .containsIgnoringCase("index")
                .doesNotContain("TEMP B-TREE", "Sort", "Seq Scan", "Bitmap")
                .doesNotContainPattern("SCAN (executions|ledger)(?! USING)");
    }
}
