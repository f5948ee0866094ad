package dev.escapement.endpoints.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.store.Claim;
import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.endpoints.store.Result;
import dev.escapement.endpoints.store.Samples;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.endpoints.store.Verdict;
import dev.escapement.endpoints.store.Write;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import dev.escapement.storage.problem.UnexpectedStorageException;
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

/** A result that the database refuses hurts only itself. */
class PoisonTest {

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void aTextThatTheDatabaseRefusesIsLeftOutAndItsNeighboursAreRecorded(DatabaseKind kind) throws SQLException {
        try (TestDatabase world = kind.create()) {
            EndpointStore store = SqlEndpointStore.on(world.open(), 100);
            Instant due = store.clock().instant().minusSeconds(1);
            assertThat(store.apply(List.of(
                            new Write.Create(Samples.endpoint("a", "h", due)),
                            new Write.Create(Samples.endpoint("b", "h", due)),
                            new Write.Create(Samples.endpoint("c", "h", due)))))
                    .isTrue();
            // Nobody knows what a database will refuse one day, so here it is told to.
            world.execute(
                    kind == DatabaseKind.POSTGRESQL
                            ? "ALTER TABLE runs ADD CHECK (excerpt NOT LIKE '%poison%')"
                            : "CREATE TRIGGER refuse BEFORE INSERT ON runs WHEN NEW.excerpt LIKE '%poison%'"
                                    + " BEGIN SELECT RAISE(ABORT, 'refused'); END");
            List<Claim> claims = store.claim(new Demand("w", "token", 10, 10, Map.of(), Duration.ofMinutes(1)));
            List<Result> results =
                    new ArrayList<>(claims.stream().map(Samples::success).toList());
            results.set(
                    1,
                    Samples.result(
                            claims.get(1),
                            new Answer(
                                    Optional.of(Answer.Failure.STATUS),
                                    Optional.of(500),
                                    "status 500",
                                    "poison",
                                    6,
                                    Optional.empty()),
                            due));
            assertThat(store.record(results)).hasSize(3).containsOnly(Verdict.RECORDED);
            assertThat(store.run("id-a", 1)).contains(results.get(0).run());
            assertThat(store.run("id-c", 1)).contains(results.get(2).run());
            Answer kept = store.run("id-b", 1).orElseThrow().answer();
            assertThat(kept.status()).contains(500);
            assertThat(kept.failure()).contains(Answer.Failure.STATUS);
            assertThat(kept.excerpt()).contains("did not take this text");
            assertThat(store.get("id-b").orElseThrow().endpoint().history().failures())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void oneThatCannotBeReadHoldsUpNobodyAndCanBeArchived(DatabaseKind kind) throws SQLException {
        try (TestDatabase world = kind.create()) {
            EndpointStore store = SqlEndpointStore.on(world.open(), 100);
            Instant due = store.clock().instant().minusSeconds(1);
            assertThat(store.apply(List.of(
                            new Write.Create(Samples.endpoint("a", "h", due)),
                            new Write.Create(Samples.endpoint("b", "h", due)))))
                    .isTrue();
            // As if it had been written by a Java that knows more time zones.
            world.execute("UPDATE endpoints SET revision = revision + 1, document ="
                    + " '{\"method\":\"GET\",\"timeout\":\"1s\",\"cron\":\"* * * * *\",\"timeZone\":\"Mars/Base\"}'"
                    + " WHERE name = 'a'");

            assertThat(store.claim(new Demand("w", "token", 10, 10, Map.of(), Duration.ofMinutes(1))))
                    .extracting(claim -> claim.endpoint().id())
                    .containsExactly("id-b");
            assertThat(store.endpoints(EndpointFilter.ALL, "", 10).items()).containsExactly(stored(store, "b"));
            Page<Stored> first = store.endpoints(EndpointFilter.ALL, "", 1);
            assertThat(first.items()).isEmpty();
            assertThat(store.endpoints(EndpointFilter.ALL, first.nextToken().orElseThrow(), 1)
                            .items())
                    .containsExactly(stored(store, "b"));
            world.execute("UPDATE endpoints SET remedy_due = 1");
            assertThat(store.remediesDue(10)).containsExactly(stored(store, "b"));
            assertThat(store.remediesDue(10)).isEmpty();
            for (ThrowingCallable question : List.<ThrowingCallable>of(
                    () -> store.named("a"),
                    () -> store.get("id-a"),
                    () -> store.named(List.of("a", "b")),
                    () -> store.apply(List.of("a"), seen -> List.of()))) {
                assertThatThrownBy(question)
                        .isInstanceOf(UnexpectedStorageException.class)
                        .hasMessageStartingWith("endpoint a (id id-a) cannot be read");
            }

            assertThat(store.archive("a")).contains("id-a");
            assertThat(store.named("a")).isEmpty();
            assertThat(store.backlog().endpoints()).isEqualTo(1);
            assertThatThrownBy(() -> store.get("id-a")).isInstanceOf(UnexpectedStorageException.class);
        }
    }

    private static Stored stored(EndpointStore store, String name) {
        return store.named(name).orElseThrow();
    }
}
