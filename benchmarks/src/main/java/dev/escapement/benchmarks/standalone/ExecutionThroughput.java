package dev.escapement.benchmarks.standalone;

import dev.escapement.benchmarks.report.MetricsScrape;
import dev.escapement.benchmarks.report.Percentiles;
import dev.escapement.crashtests.kit.ParallelTasks;
import dev.escapement.crashtests.kit.RawHttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The throughput of executions that are created through REST.
 *
 * @param rates executions per second, by part
 * @param statements SQL statements per execution, over all parts
 * @param transactions write transactions per execution, over all parts
 * @param heaps bytes of heap in use after each part, after a garbage collection
 */
record ExecutionThroughput(List<Double> rates, double statements, double transactions, List<Long> heaps) {

    private static final int CONNECTIONS = 8;
    private static final String EXECUTIONS_ENDED = "workflowexecution_total";
    private static final String STATEMENTS = "escapement_store_statements_total";
    private static final String TRANSACTIONS = "escapement_store_transactions_total";

    static ExecutionThroughput measure(NoOpServerProcess server, int parts, int executionsPerPart)
            throws IOException, InterruptedException, ExecutionException {
        List<Double> rates = new ArrayList<>();
        List<Long> heaps = new ArrayList<>();
        // Warms up the code, so that the first part is not slower.
        measurePart(server, -1, Math.max(500, executionsPerPart / 5));
        MetricsScrape before = scrape(server);
        for (int part = 0; part < parts; part++) {
            rates.add(measurePart(server, part, executionsPerPart));
            heaps.add(server.heapUsed());
        }
        MetricsScrape after = scrape(server);
        double executions = (double) parts * executionsPerPart;
        return new ExecutionThroughput(
                rates,
                (after.sum(STATEMENTS) - before.sum(STATEMENTS)) / executions,
                (after.sum(TRANSACTIONS) - before.sum(TRANSACTIONS)) / executions,
                heaps);
    }

    private static MetricsScrape scrape(NoOpServerProcess server) throws IOException {
        try (RawHttpClient http = server.connect()) {
            return MetricsScrape.fetch(http);
        }
    }

    private static double measurePart(NoOpServerProcess server, int part, int executions)
            throws IOException, InterruptedException, ExecutionException {
        try (RawHttpClient http = server.connect()) {
            double ended = MetricsScrape.fetch(http).sum(EXECUTIONS_ENDED);
            long start = System.nanoTime();
            postExecutions(server, part, executions);
            while (MetricsScrape.fetch(http).sum(EXECUTIONS_ENDED) < ended + executions) {
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            return executions / ((System.nanoTime() - start) / 1e9);
        }
    }

    private static void postExecutions(NoOpServerProcess server, int part, int executions)
            throws InterruptedException, ExecutionException {
        AtomicInteger next = new AtomicInteger();
        ParallelTasks.run(CONNECTIONS, () -> {
            try (RawHttpClient http = server.connect()) {
                for (int n = next.getAndIncrement(); n < executions; n = next.getAndIncrement()) {
                    postExecution(http, "p%d-%d".formatted(part, n), n);
                }
            }
        });
    }

    /** Every execution of a part has a target of its own, so that none is skipped. */
    private static void postExecution(RawHttpClient http, String name, int target) throws IOException {
        RawHttpClient.Response response = http.post("/api/v1/executions", """
                {"apiVersion":"kubernaut.ai/v1alpha1","kind":"WorkflowExecution","metadata":{"name":"%s"},\
                "spec":{"workflowRef":{"workflowId":"nothing"},"targetResource":"node/n%d","parameters":{"DEPTH":"2"}}}""".formatted(name, target));
        if (response.status() != 201) {
            throw new IOException("execution %s was not created: %s".formatted(name, response));
        }
    }

    double median() {
        return Percentiles.of(rates.stream().mapToDouble(Double::doubleValue).toArray())
                .at(50);
    }

    /** Returns the rate of the first part divided by that of the last; 1 means equally fast. */
    double slowdown() {
        return rates.get(0) / rates.get(rates.size() - 1);
    }
}
