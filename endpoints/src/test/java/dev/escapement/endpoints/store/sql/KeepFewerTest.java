package dev.escapement.endpoints.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.Samples;
import dev.escapement.endpoints.store.Write;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody decides to keep fewer runs than there are. */
class KeepFewerTest {

    private static final int THERE = 1_200;

    private static void runOnce(EndpointStore store, String token) {
        store.record(store.claim(new Demand("w", token, 10, 10, Map.of(), Duration.ofMinutes(1))).stream()
                .map(Samples::success)
                .toList());
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void whatIsTooManyGoesABitAtATime(DatabaseKind kind) throws SQLException {
        try (TestDatabase world = kind.create()) {
            Database database = world.open();
            EndpointStore store = SqlEndpointStore.on(database, 3);
            for (String name : List.of("one", "two")) {
                assertThat(store.apply(List.of(new Write.Create(Samples.endpoint(
                                name, "h", store.clock().instant().minusSeconds(3_600))))))
                        .isTrue();
            }
            world.execute("INSERT INTO runs (" + RunRows.COLUMNS + ") SELECT 'id-one', n, 'one', 1, n, n, n, n, 'w',"
                    + " 's', '{}', 0, 0, 0, '', false, '', 200, '', 'ok', 2, -1 FROM " + world.numbersTable(THERE)
                    + " WHERE n > 0");
            world.execute("UPDATE endpoints SET number = " + (THERE + 1) + " WHERE id = 'id-one'");
            int before = runs(store).size();

            runOnce(store, "first");

            assertThat(runs(store)).hasSizeBetween(before - 600, before - 400).hasSizeGreaterThan(3);
            runOnce(store, "second");
            runOnce(store, "third");
            assertThat(runs(store))
                    .extracting(Run::endpoint, Run::number)
                    .containsExactlyInAnyOrder(
                            tuple("id-one", 1_203L),
                            tuple("id-one", 1_202L),
                            tuple("id-one", 1_201L),
                            tuple("id-two", 1L),
                            tuple("id-two", 2L),
                            tuple("id-two", 3L));
        }
    }

    private static List<Run> runs(EndpointStore store) {
        return store.runs(RunFilter.ALL, "", 10_000).items();
    }
}
