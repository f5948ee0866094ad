package dev.escapement.benchmarks.kubernetes;

import dev.escapement.testkit.cluster.Kubeconfig;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The limit: a program in the operator's place that makes the writes which every execution needs as soon as a watch
 * tells of one, and does nothing else.
 */
public final class BareClientMain implements Watcher<UntypedExecution> {

    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final BareClientWrites writes;
    private final boolean withReadAndEvents;
    private final ExecutorService workers;
    private final AtomicInteger processedCount = new AtomicInteger();

    private BareClientMain(BareClientWrites writes, boolean theRestToo, int threads) {
        this.writes = writes;
        this.withReadAndEvents = theRestToo;
        this.workers = Executors.newFixedThreadPool(threads);
    }

    /**
     * Takes the kubeconfig, the number of threads, and {@code six} or {@code all}. An order is the number of executions
     * to have dealt with before it answers.
     */
    public static void main(String[] args) throws Exception {
        try (KubernetesClient client = new Kubeconfig(Path.of(args[0])).client()) {
            BareClientWrites writes = new BareClientWrites(client, InstantSource.system());
            BareClientMain bare = new BareClientMain(writes, args[2].equals("all"), Integer.parseInt(args[1]));
            client.resources(UntypedExecution.class)
                    .inNamespace(BenchmarkCluster.REQUEST_NAMESPACE)
                    .watch(bare);
            OUT.println("ready");
            bare.handleCommands();
        }
        System.exit(0);
    }

    private void handleCommands() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = in.readLine(); order != null; order = in.readLine()) {
            int wanted = Integer.parseInt(order);
            BenchmarkWait.waitUntil(
                    () -> processedCount.get() >= wanted,
                    TIMEOUT,
                    () -> "the bare client has dealt with " + processedCount);
            OUT.println("done");
        }
    }

    @Override
    public void eventReceived(Action action, UntypedExecution execution) {
        if (action == Action.ADDED) {
            workers.execute(() -> process(execution));
        }
    }

    private void process(UntypedExecution execution) {
        writes.writeAll(execution);
        if (withReadAndEvents) {
            writes.readAndPublishEvents(execution);
        }
        processedCount.incrementAndGet();
    }

    @Override
    public void onClose(WatcherException cause) {
        throw new IllegalStateException("the watch of the bare client ended", new IOException(cause));
    }
}
