package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.endpoints.store.EndpointStore.RecordOutcome;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a rejected result or unreadable endpoint does not affect others. */
class BadDataIsolationTest {

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void recordsRejectedResultWithoutTextsAndOthersUnchanged(DatabaseKind kind) throws SQLException {
        try (TestDatabase world = kind.create()) {
            EndpointStore store = SqlEndpointStore.open(world.open(), 100);
            Instant due = store.clock().instant().minusSeconds(1);
            assertThat(store.apply(List.of(
                            new EndpointChange.Create(StoreSamples.endpoint("a", "h", due)),
                            new EndpointChange.Create(StoreSamples.endpoint("b", "h", due)),
                            new EndpointChange.Create(StoreSamples.endpoint("c", "h", due)))))
                    .isTrue();
            // A constraint stands for any text that the database rejects.
            world.execute(
                    kind == DatabaseKind.POSTGRESQL
                            ? "ALTER TABLE runs ADD CHECK (excerpt NOT LIKE '%poison%')"
                            : "CREATE TRIGGER refuse BEFORE INSERT ON runs WHEN NEW.excerpt LIKE '%poison%'"
                                    + " BEGIN SELECT RAISE(ABORT, 'refused'); END");
            List<EndpointClaim> claims =
                    store.claim(new ClaimRequest("w", "token", 10, 10, Map.of(), Duration.ofMinutes(1)));
            List<RunResult> results =
                    new ArrayList<>(claims.stream().map(StoreSamples::success).toList());
            results.set(
                    1,
                    StoreSamples.result(
                            claims.get(1),
                            new CallResult(
                                    Optional.of(CallResult.Failure.STATUS),
                                    Optional.of(500),
                                    "status 500",
                                    "poison",
                                    6,
                                    Optional.empty()),
                            due));
            assertThat(store.record(results)).hasSize(3).containsOnly(RecordOutcome.RECORDED);
            assertThat(store.getRun("id-a", 1)).contains(results.get(0).run());
            assertThat(store.getRun("id-c", 1)).contains(results.get(2).run());
            CallResult kept = store.getRun("id-b", 1).orElseThrow().callResult();
            assertThat(kept.statusCode()).contains(500);
            assertThat(kept.failure()).contains(CallResult.Failure.STATUS);
            assertThat(kept.excerpt()).contains("rejected this text");
            assertThat(store.get("id-b").orElseThrow().endpoint().history().failures())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void unreadableEndpointIsSkippedAndCanBeArchived(DatabaseKind kind) throws SQLException {
        try (TestDatabase world = kind.create()) {
            EndpointStore store = SqlEndpointStore.open(world.open(), 100);
            Instant due = store.clock().instant().minusSeconds(1);
            assertThat(store.apply(List.of(
                            new EndpointChange.Create(StoreSamples.endpoint("a", "h", due)),
                            new EndpointChange.Create(StoreSamples.endpoint("b", "h", due)))))
                    .isTrue();
            // As if stored by a Java with more time zones.
            world.execute("UPDATE endpoints SET revision = revision + 1, document ="
                    + " '{\"method\":\"GET\",\"timeout\":\"1s\",\"cron\":\"* * * * *\",\"timeZone\":\"Mars/Base\"}'"
                    + " WHERE name = 'a'");

            assertThat(store.claim(new ClaimRequest("w", "token", 10, 10, Map.of(), Duration.ofMinutes(1))))
                    .extracting(claim -> claim.endpoint().id())
                    .containsExactly("id-b");
            assertThat(store.listEndpoints(EndpointFilter.ALL, "", 10).items()).containsExactly(findStored(store, "b"));
            Page<StoredEndpoint> first = store.listEndpoints(EndpointFilter.ALL, "", 1);
            assertThat(first.items()).isEmpty();
            assertThat(store.listEndpoints(EndpointFilter.ALL, first.nextToken().orElseThrow(), 1)
                            .items())
                    .containsExactly(findStored(store, "b"));
            world.execute("UPDATE endpoints SET remedy_due = 1");
            assertThat(store.claimDueRemediations(10)).containsExactly(findStored(store, "b"));
            assertThat(store.claimDueRemediations(10)).isEmpty();
            for (ThrowingCallable question : List.<ThrowingCallable>of(
                    () -> store.findByName("a"),
                    () -> store.get("id-a"),
                    () -> store.findByName(List.of("a", "b")),
                    () -> store.apply(List.of("a"), seen -> List.of()))) {
                assertThatThrownBy(question)
                        .isInstanceOf(UnexpectedStorageException.class)
                        .hasMessageStartingWith("endpoint a (id id-a) cannot be read");
            }

            assertThat(store.archive("a")).contains("id-a");
            assertThat(store.findByName("a")).isEmpty();
            assertThat(store.backlog().endpoints()).isEqualTo(1);
            assertThatThrownBy(() -> store.get("id-a")).isInstanceOf(UnexpectedStorageException.class);
        }
    }

    private static StoredEndpoint findStored(EndpointStore store, String name) {
        return store.findByName(name).orElseThrow();
    }
}
