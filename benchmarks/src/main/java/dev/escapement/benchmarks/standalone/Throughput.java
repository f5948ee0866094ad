package dev.escapement.benchmarks.standalone;

import dev.escapement.benchmarks.program.RawHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Executions through REST, from the request to their end.
 *
 * @param rates executions per second, part by part
 * @param statements SQL statements per execution, over all parts
 * @param transactions write transactions per execution, over all parts
 * @param heaps bytes of heap in use after each part and a collection
 */
record Throughput(List<Double> rates, double statements, double transactions, List<Long> heaps) {

    private static final int CONNECTIONS = 8;

    static Throughput measure(NoOpServer server, int parts, int executionsPerPart)
            throws IOException, InterruptedException, ExecutionException {
        List<Double> rates = new ArrayList<>();
        List<Long> heaps = new ArrayList<>();
        // Warm code, so that the first part is not that of a cold machine.
        part(server, -1, Math.max(500, executionsPerPart / 5));
        Scrape before = scrape(server);
        for (int part = 0; part < parts; part++) {
            rates.add(part(server, part, executionsPerPart));
            heaps.add(server.heap());
        }
        Scrape after = scrape(server);
        double executions = (double) parts * executionsPerPart;
        return new Throughput(
                rates,
                (after.sum(Metric.STATEMENTS) - before.sum(Metric.STATEMENTS)) / executions,
                (after.sum(Metric.TRANSACTIONS) - before.sum(Metric.TRANSACTIONS)) / executions,
                heaps);
    }

    private static Scrape scrape(NoOpServer server) throws IOException {
        try (RawHttp http = server.connect()) {
            return Scrape.of(http);
        }
    }

    private static double part(NoOpServer server, int part, int executions)
            throws IOException, InterruptedException, ExecutionException {
        try (RawHttp http = server.connect()) {
            double ended = Scrape.of(http).sum(Metric.ENDED);
            long start = System.nanoTime();
            post(server, part, executions);
            while (Scrape.of(http).sum(Metric.ENDED) < ended + executions) {
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            return executions / ((System.nanoTime() - start) / 1e9);
        }
    }

    private static void post(NoOpServer server, int part, int executions)
            throws InterruptedException, ExecutionException {
        AtomicInteger next = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(CONNECTIONS);
        List<Future<Boolean>> posting = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            posting.add(pool.submit(() -> {
                try (RawHttp http = server.connect()) {
                    for (int n = next.getAndIncrement(); n < executions; n = next.getAndIncrement()) {
                        post(http, "p%d-%d".formatted(part, n), n);
                    }
                }
                return true;
            }));
        }
        for (Future<Boolean> each : posting) {
            each.get();
        }
        pool.shutdown();
    }

    /** Every execution of a part has a target of its own: nothing is skipped. */
    private static void post(RawHttp http, String name, int target) throws IOException {
        RawHttp.Answer answer = http.post("/api/v1/executions", """
                {"apiVersion":"kubernaut.ai/v1alpha1","kind":"WorkflowExecution","metadata":{"name":"%s"},\
                "spec":{"workflowRef":{"workflowId":"nothing"},"targetResource":"node/n%d","parameters":{"DEPTH":"2"}}}""".formatted(name, target));
        if (answer.status() != 201) {
            throw new IOException("execution %s was answered with %s".formatted(name, answer));
        }
    }

    double median() {
        return Percentiles.of(rates.stream().mapToDouble(Double::doubleValue).toArray())
                .at(50);
    }

    /** How much slower the last part was than the first; 1 is flat. */
    double slowdown() {
        return rates.get(0) / rates.get(rates.size() - 1);
    }
}
