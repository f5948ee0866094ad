package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.endpoints.store.EndpointStore.RecordOutcome;
import dev.escapement.storage.ConcurrentTasks;
import dev.escapement.storage.Database;
import dev.escapement.storage.PostgresTestDatabase;
import dev.escapement.storage.jdbc.StatementCounters.Counts;
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

/** Tests several servers with several workers each on one PostgreSQL, with its real clock. */
class ConcurrentWorkersTest {

    private static final int ENDPOINTS = 5_000;

    private final PostgresTestDatabase postgres = PostgresTestDatabase.create();
    private final Database first = postgres.open();
    private final Database second = postgres.open();
    private final List<EndpointStore> stores =
            List.of(SqlEndpointStore.open(first, 100), SqlEndpointStore.open(second, 100));

    @AfterEach
    void close() {
        postgres.close();
    }

    private void createEndpoints(int many) {
        Instant due = stores.get(0).clock().instant().minusSeconds(1);
        List<EndpointChange> writes = IntStream.range(0, many)
                .mapToObj(i -> StoreSamples.endpoint("e" + i, "host-" + i % 50, due))
                .<EndpointChange>map(EndpointChange.Create::new)
                .toList();
        assertThat(stores.get(0).apply(writes)).isTrue();
    }

    private static ClaimRequest claimRequest(String token) {
        return new ClaimRequest("w", token, 100, 1_000, Map.of(), Duration.ofMinutes(1));
    }

    @Test
    void fourWorkersOnTwoServersRecordEachRunOnce() throws Exception {
        createEndpoints(ENDPOINTS);
        List<List<String>> claimed = ConcurrentTasks.runAll(4, worker -> {
            EndpointStore store = stores.get(worker % 2);
            List<String> mine = new ArrayList<>();
            for (int i = 0; ; i++) {
                List<EndpointClaim> claims = store.claim(claimRequest("token-" + worker + "-" + i));
                if (claims.isEmpty()) {
                    return mine;
                }
                claims.forEach(claim -> mine.add(claim.endpoint().runId()));
                assertThat(store.record(
                                claims.stream().map(StoreSamples::success).toList()))
                        .hasSameSizeAs(claims)
                        .containsOnly(RecordOutcome.RECORDED);
            }
        });
        List<String> all = claimed.stream().flatMap(List::stream).toList();
        assertThat(all).hasSize(ENDPOINTS).doesNotHaveDuplicates();
        assertThat(postgres.countRows("runs")).isEqualTo(ENDPOINTS);
        assertThat(postgres.countRows("endpoints WHERE number = 2 AND lease_token = '' AND attempts = 0"))
                .isEqualTo(ENDPOINTS);
    }

    /** Counts statements of the session. */
    @Test
    void statementCountIsIndependentOfBatchSize() {
        createEndpoints(500);
        EndpointStore store = stores.get(1);
        Counts before = second.counts();
        int runs = 0;
        for (int batch = 0; batch < 5; batch++) {
            List<EndpointClaim> claims = store.claim(claimRequest("token-" + batch));
            runs += claims.size();
            store.record(claims.stream().map(StoreSamples::success).toList());
        }
        Counts cost = second.counts().since(before);
        assertThat(runs).isEqualTo(500);
        System.out.printf(
                "500 runs in batches of 100 cost %d statements, %d write transactions%n",
                cost.statements(), cost.writeTransactions());
        assertThat(cost).isEqualTo(new Counts(15, 10));
    }

    @Test
    void notifiesOtherServerOfChanges() throws Exception {
        Semaphore calls = new Semaphore(0);
        try (var subscription = stores.get(1).onChange(calls::release)) {
            assertThat(subscription).isNotNull();
            // One notification comes with the start of listening, for earlier changes.
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            createEndpoints(1);
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            calls.drainPermits();
            List<EndpointClaim> claims = stores.get(0).claim(claimRequest("token"));
            stores.get(0).release(claims);
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Optimistic updates would nearly always fail here. */
    @Test
    void updatesManyEndpointsWhileTheyRun() throws Exception {
        int many = 2_000;
        createEndpoints(many);
        List<String> names = IntStream.range(0, many).mapToObj(i -> "e" + i).toList();
        AtomicBoolean over = new AtomicBoolean();
        List<Integer> done = ConcurrentTasks.runAll(3, who -> {
            if (who == 0) {
                int made = 0;
                try {
                    while (made < 20 && stores.get(0).apply(names, ConcurrentWorkersTest::makeAllDue)) {
                        made++;
                    }
                } finally {
                    over.set(true);
                }
                return made;
            }
            int runs = 0;
            for (int i = 0; !over.get(); i++) {
                List<EndpointClaim> claims = stores.get(1).claim(claimRequest("token-" + who + "-" + i));
                List<RecordOutcome> verdicts = stores.get(1)
                        .record(claims.stream().map(StoreSamples::success).toList());
                runs += (int)
                        verdicts.stream().filter(RecordOutcome.RECORDED::equals).count();
                stores.get(1).release(claims);
            }
            return runs;
        });
        assertThat(done.get(0)).isEqualTo(20);
        assertThat(postgres.countRows("endpoints WHERE revision = 21")).isEqualTo(many);
        assertThat(postgres.countRows("runs")).isEqualTo(done.get(1) + done.get(2));
    }

    /** Plans the next run so that it is due at once. */
    private static List<EndpointChange> makeAllDue(Map<String, StoredEndpoint> seen) {
        assertThat(seen).hasSize(2_000);
        return seen.values().stream()
                .<EndpointChange>map(each -> new EndpointChange.Update(
                        each,
                        each.endpoint()
                                .withChanges(
                                        each.endpoint().definition(),
                                        each.endpoint().overrides(),
                                        each.endpoint().history(),
                                        StoreSamples.endpoint(
                                                        "any",
                                                        "any",
                                                        each.endpoint().createdAt())
                                                .nextRun())))
                .toList();
    }

    @Test
    void concurrentUpdatesInDifferentOrderDoNotDeadlock() throws Exception {
        createEndpoints(50);
        List<Boolean> made = ConcurrentTasks.runAll(4, person -> {
            int done = 0;
            while (done < 5) {
                List<StoredEndpoint> seen = new ArrayList<>(stores.get(person % 2)
                        .findByName(
                                IntStream.range(0, 50).mapToObj(i -> "e" + i).toList())
                        .values());
                java.util.Collections.shuffle(seen, new java.util.Random(person));
                List<EndpointChange> writes = seen.stream()
                        .<EndpointChange>map(each -> new EndpointChange.Update(each, each.endpoint()))
                        .toList();
                done += stores.get(person % 2).apply(writes) ? 1 : 0;
            }
            return true;
        });
        assertThat(made).containsOnly(true);
        assertThat(postgres.countRows("endpoints WHERE revision = 21")).isEqualTo(50);
    }
}
