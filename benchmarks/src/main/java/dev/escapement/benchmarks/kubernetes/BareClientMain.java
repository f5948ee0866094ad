package dev.escapement.benchmarks.kubernetes;

import dev.escapement.crashtests.kit.Console;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.Kubeconfig;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The upper limit: a program in place of the operator that makes the writes of each execution as soon as a watch
 * reports it, and does nothing else.
 */
public final class BareClientMain implements Watcher<UntypedExecution> {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final BareClientWrites writes;
    private final boolean withReadAndEvents;
    private final ExecutorService workers;
    private final AtomicInteger processedCount = new AtomicInteger();

    private BareClientMain(BareClientWrites writes, boolean withReadAndEvents, int threads) {
        this.writes = writes;
        this.withReadAndEvents = withReadAndEvents;
        this.workers = Executors.newFixedThreadPool(threads);
    }

    /**
     * Arguments: the kubeconfig, the number of threads, and {@code six} or {@code all}. A command is the number of
     * executions that must be processed before it is answered.
     */
    public static void main(String[] args) throws Exception {
        try (KubernetesClient client = new Kubeconfig(Path.of(args[0])).client()) {
            BareClientWrites writes = new BareClientWrites(client, InstantSource.system());
            BareClientMain bare = new BareClientMain(writes, args[2].equals("all"), Integer.parseInt(args[1]));
            client.resources(UntypedExecution.class)
                    .inNamespace(BenchmarkCluster.REQUEST_NAMESPACE)
                    .watch(bare);
            Console.printLine("ready");
            bare.handleCommands();
        }
        System.exit(0);
    }

    private void handleCommands() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = in.readLine(); command != null; command = in.readLine()) {
            int wanted = Integer.parseInt(command);
            ConditionPoller.await(
                    () -> wanted + " executions are processed; now: " + processedCount,
                    TIMEOUT,
                    () -> processedCount.get() >= wanted);
            Console.printLine("done");
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
