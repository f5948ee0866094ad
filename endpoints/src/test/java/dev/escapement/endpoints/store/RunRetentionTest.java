package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a reduced limit of runs per endpoint. */
class RunRetentionTest {

    private static final int EXISTING_RUNS = 1_200;

    private static void runOnce(EndpointStore store, String token) {
        store.record(store.claim(new ClaimRequest("w", token, 10, 10, Map.of(), Duration.ofMinutes(1))).stream()
                .map(StoreSamples::success)
                .toList());
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void removesExcessRunsInBatches(DatabaseKind kind) throws SQLException {
        try (TestDatabase world = kind.create()) {
            Database database = world.open();
            EndpointStore store = SqlEndpointStore.open(database, 3);
            for (String name : List.of("one", "two")) {
                assertThat(store.apply(List.of(new EndpointChange.Create(StoreSamples.endpoint(
                                name, "h", store.clock().instant().minusSeconds(3_600))))))
                        .isTrue();
            }
            world.execute(
                    "INSERT INTO runs (" + RunHistoryTable.COLUMNS + ") SELECT 'id-one', n, 'one', 1, n, n, n, n, 'w',"
                            + " 's', '{}', 0, 0, 0, '', false, '', 200, '', 'ok', 2, -1 FROM "
                            + world.numbersTable(EXISTING_RUNS)
                            + " WHERE n > 0");
            world.execute("UPDATE endpoints SET number = " + (EXISTING_RUNS + 1) + " WHERE id = 'id-one'");
            int before = listRuns(store).size();

            runOnce(store, "first");

            assertThat(listRuns(store))
                    .hasSizeBetween(before - 600, before - 400)
                    .hasSizeGreaterThan(3);
            runOnce(store, "second");
            runOnce(store, "third");
            assertThat(listRuns(store))
                    .extracting(FinishedRun::endpointId, FinishedRun::number)
                    .containsExactlyInAnyOrder(
                            tuple("id-one", 1_203L),
                            tuple("id-one", 1_202L),
                            tuple("id-one", 1_201L),
                            tuple("id-two", 1L),
                            tuple("id-two", 2L),
                            tuple("id-two", 3L));
        }
    }

    private static List<FinishedRun> listRuns(EndpointStore store) {
        return store.listRuns(RunFilter.ALL, "", 10_000).items();
    }
}
