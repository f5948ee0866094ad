package dev.escapement.endpoints.store;

import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.storage.ConcurrentTasks;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.SecretText;
import dev.escapement.storage.TestDatabase;
import dev.escapement.storage.jdbc.StatementCounters.Counts;
import dev.escapement.testkit.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Measures claims and results without any calls between them. Not a test: run its main method.
 *
 * <p>Every endpoint is always due: each run plans the next a minute later, from a slot far in the past.
 */
final class EndpointStoreThroughput {

    private static final int ENDPOINTS = 10_000;
    private static final Duration DURATION = Duration.ofSeconds(8);

    private EndpointStoreThroughput() {}

    public static void main(String[] arguments) throws Exception {
        try (TestDatabase world = DatabaseKind.SQLITE.create()) {
            measure("SQLite", world.open());
        }
        // Durable commits as on a server; other tests turn them off.
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setPort(FreePorts.allocateOne())
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .start();
                Database database = Database.openPostgres(
                        server.getJdbcUrl("postgres", "postgres"), "postgres", SecretText.of(""))) {
            measure("PostgreSQL", database);
        }
    }

    private static void measure(String kind, Database database) throws Exception {
        EndpointStore store = SqlEndpointStore.open(database, 100);
        Instant due = store.clock().instant().minus(Duration.ofDays(3_000));
        store.apply(IntStream.range(0, ENDPOINTS)
                .mapToObj(i -> StoreSamples.endpoint("e" + i, "host-" + i % 500, due.plusMillis(i)))
                .<EndpointChange>map(EndpointChange.Create::new)
                .toList());
        runWorkers(store, 100, 2, DURATION);
        for (int batch : new int[] {50, 200}) {
            for (int workers : new int[] {1, 2, 4}) {
                measure(kind, database, store, batch, workers);
            }
        }
    }

    private static void measure(String kind, Database database, EndpointStore store, int batch, int workers)
            throws Exception {
        Counts before = database.counts();
        long begin = System.nanoTime();
        long runs = runWorkers(store, batch, workers, DURATION);
        double seconds = (System.nanoTime() - begin) / 1e9;
        Counts cost = database.counts().since(before);
        System.out.printf(
                "%s, %d workers, batches of %d: %.0f runs per second, %.4f statements and %.4f write transactions"
                        + " per run%n",
                kind,
                workers,
                batch,
                runs / seconds,
                (double) cost.statements() / runs,
                (double) cost.writeTransactions() / runs);
    }

    private static long runWorkers(EndpointStore store, int batch, int workers, Duration time) throws Exception {
        LongAdder runs = new LongAdder();
        ConcurrentTasks.runAll(workers, worker -> {
            long end = System.nanoTime() + time.toNanos();
            for (int i = 0; System.nanoTime() < end; i++) {
                List<EndpointClaim> claims = store.claim(new ClaimRequest(
                        "w", "t" + worker + "-" + i + "-" + end, batch, 1_000, Map.of(), Duration.ofMinutes(1)));
                store.record(claims.stream().map(StoreSamples::success).toList());
                runs.add(claims.size());
            }
            return true;
        });
        return runs.sum();
    }
}
