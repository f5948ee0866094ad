package dev.escapement.endpoints.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.store.Claim;
import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.Samples;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.endpoints.store.Verdict;
import dev.escapement.endpoints.store.Write;
import dev.escapement.storage.ConcurrentTasks;
import dev.escapement.storage.Database;
import dev.escapement.storage.PostgresTestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several servers with several workers each on one PostgreSQL, by its own clock. */
class WorkersTest {

    private static final int MANY = 5_000;

    private final PostgresTestDatabase world = PostgresTestDatabase.create();
    private final Database first = world.open();
    private final Database second = world.open();
    private final List<EndpointStore> stores =
            List.of(SqlEndpointStore.on(first, 100), SqlEndpointStore.on(second, 100));

    @AfterEach
    void close() {
        world.close();
    }

    private void fill(int many) {
        Instant due = stores.get(0).clock().instant().minusSeconds(1);
        List<Write> writes = IntStream.range(0, many)
                .mapToObj(i -> Samples.endpoint("e" + i, "host-" + i % 50, due))
                .<Write>map(Write.Create::new)
                .toList();
        assertThat(stores.get(0).apply(writes)).isTrue();
    }

    private static Demand demand(String token) {
        return new Demand("w", token, 100, 1_000, Map.of(), Duration.ofMinutes(1));
    }

    @Test
    void fourWorkersOfTwoServersClaimAndRecordEachExactlyOnce() throws Exception {
        fill(MANY);
        List<List<String>> claimed = ConcurrentTasks.runAll(4, worker -> {
            EndpointStore store = stores.get(worker % 2);
            List<String> mine = new ArrayList<>();
            for (int i = 0; ; i++) {
                List<Claim> claims = store.claim(demand("token-" + worker + "-" + i));
                if (claims.isEmpty()) {
                    return mine;
                }
                claims.forEach(claim -> mine.add(claim.endpoint().occurrence()));
                assertThat(store.record(claims.stream().map(Samples::success).toList()))
                        .hasSameSizeAs(claims)
                        .containsOnly(Verdict.RECORDED);
            }
        });
        List<String> all = claimed.stream().flatMap(List::stream).toList();
        assertThat(all).hasSize(MANY).doesNotHaveDuplicates();
        assertThat(world.countRows("runs")).isEqualTo(MANY);
        assertThat(world.countRows("endpoints WHERE number = 2 AND lease_token = '' AND attempts = 0"))
                .isEqualTo(MANY);
    }

    /** Counted at the session, so a batch that grew would show. */
    @Test
    void theNumberOfStatementsDependsOnTheBatchesAndNotOnTheirSize() {
        fill(500);
        EndpointStore store = stores.get(1);
        Database.Counts before = second.counts();
        int runs = 0;
        for (int batch = 0; batch < 5; batch++) {
            List<Claim> claims = store.claim(demand("token-" + batch));
            runs += claims.size();
            store.record(claims.stream().map(Samples::success).toList());
        }
        Database.Counts cost = second.counts().since(before);
        assertThat(runs).isEqualTo(500);
        System.out.printf(
                "500 runs in batches of 100 cost %d statements, %d write transactions%n",
                cost.statements(), cost.writeTransactions());
        assertThat(cost).isEqualTo(new Database.Counts(15, 10));
    }

    @Test
    void oneServerHearsOfWhatAnotherChanges() throws Exception {
        Semaphore calls = new Semaphore(0);
        try (var subscription = stores.get(1).onChange(calls::release)) {
            assertThat(subscription).isNotNull();
            // Once because it has just begun to listen, and did not hear what came before.
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            fill(1);
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            calls.drainPermits();
            List<Claim> claims = stores.get(0).claim(demand("token"));
            stores.get(0).release(claims);
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Reading first and writing then would nearly always come too late here. */
    @Test
    void whoChangesManyWhileTheyRunIsNeverTooLate() throws Exception {
        int many = 2_000;
        fill(many);
        List<String> names = IntStream.range(0, many).mapToObj(i -> "e" + i).toList();
        AtomicBoolean over = new AtomicBoolean();
        List<Integer> done = ConcurrentTasks.runAll(3, who -> {
            if (who == 0) {
                int made = 0;
                try {
                    while (made < 20 && stores.get(0).apply(names, WorkersTest::touched)) {
                        made++;
                    }
                } finally {
                    over.set(true);
                }
                return made;
            }
            int runs = 0;
            for (int i = 0; !over.get(); i++) {
                List<Claim> claims = stores.get(1).claim(demand("token-" + who + "-" + i));
                List<Verdict> verdicts = stores.get(1)
                        .record(claims.stream().map(Samples::success).toList());
                runs += (int) verdicts.stream().filter(Verdict.RECORDED::equals).count();
                stores.get(1).release(claims);
            }
            return runs;
        });
        assertThat(done.get(0)).isEqualTo(20);
        assertThat(world.countRows("endpoints WHERE revision = 21")).isEqualTo(many);
        assertThat(world.countRows("runs")).isEqualTo(done.get(1) + done.get(2));
    }

    /** Due again at once. */
    private static List<Write> touched(Map<String, Stored> seen) {
        assertThat(seen).hasSize(2_000);
        return seen.values().stream()
                .<Write>map(each -> new Write.Change(
                        each,
                        each.endpoint()
                                .changed(
                                        each.endpoint().definition(),
                                        each.endpoint().steering(),
                                        each.endpoint().history(),
                                        Samples.endpoint(
                                                        "any",
                                                        "any",
                                                        each.endpoint().createdAt())
                                                .planned())))
                .toList();
    }

    @Test
    void whoChangesTheSameInAnotherOrderDoesNotStandInTheWay() throws Exception {
        fill(50);
        List<Boolean> made = ConcurrentTasks.runAll(4, person -> {
            int done = 0;
            while (done < 5) {
                List<Stored> seen = new ArrayList<>(stores.get(person % 2)
                        .named(IntStream.range(0, 50).mapToObj(i -> "e" + i).toList())
                        .values());
                java.util.Collections.shuffle(seen, new java.util.Random(person));
                List<Write> writes = seen.stream()
                        .<Write>map(each -> new Write.Change(each, each.endpoint()))
                        .toList();
                done += stores.get(person % 2).apply(writes) ? 1 : 0;
            }
            return true;
        });
        assertThat(made).containsOnly(true);
        assertThat(world.countRows("endpoints WHERE revision = 21")).isEqualTo(50);
    }
}
