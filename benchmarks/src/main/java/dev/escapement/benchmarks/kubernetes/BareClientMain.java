package dev.escapement.benchmarks.kubernetes;

import dev.escapement.cluster.Access;
import dev.escapement.kubernetes.resource.WorkflowExecution;
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
public final class BareClientMain implements Watcher<WorkflowExecution> {

    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final SixWrites writes;
    private final boolean theRestToo;
    private final ExecutorService workers;
    private final AtomicInteger done = new AtomicInteger();

    private BareClientMain(SixWrites writes, boolean theRestToo, int threads) {
        this.writes = writes;
        this.theRestToo = theRestToo;
        this.workers = Executors.newFixedThreadPool(threads);
    }

    /**
     * Takes the kubeconfig, the number of threads, and {@code six} or {@code all}. An order is the number of executions
     * to have dealt with before it answers.
     */
    public static void main(String[] args) throws Exception {
        try (KubernetesClient client = new Access(Path.of(args[0])).client()) {
            SixWrites writes = new SixWrites(client, InstantSource.system());
            BareClientMain bare = new BareClientMain(writes, args[2].equals("all"), Integer.parseInt(args[1]));
            client.resources(WorkflowExecution.class).inNamespace(Site.REQUESTS).watch(bare);
            OUT.println("ready");
            bare.obey();
        }
        System.exit(0);
    }

    private void obey() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = in.readLine(); order != null; order = in.readLine()) {
            int wanted = Integer.parseInt(order);
            Await.until(() -> done.get() >= wanted, PATIENCE, () -> "the bare client has dealt with " + done);
            OUT.println("done");
        }
    }

    @Override
    public void eventReceived(Action action, WorkflowExecution execution) {
        if (action == Action.ADDED) {
            workers.execute(() -> make(execution));
        }
    }

    private void make(WorkflowExecution execution) {
        writes.make(execution);
        if (theRestToo) {
            writes.makeTheRest(execution);
        }
        done.incrementAndGet();
    }

    @Override
    public void onClose(WatcherException cause) {
        throw new IllegalStateException("the watch of the bare client ended", new IOException(cause));
    }
}
