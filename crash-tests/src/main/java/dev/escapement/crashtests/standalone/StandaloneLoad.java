package dev.escapement.crashtests.standalone;

import dev.escapement.crashtests.kit.EscapementApiClient;
import dev.escapement.crashtests.kit.LoadThreads;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates, cancels and deletes executions and clears targets, through the REST API, until it is stopped. */
final class StandaloneLoad {

    private static final int THREADS = 4;
    private static final int TARGETS = 12;
    private static final String NAMESPACE = "default";

    /** Targets of the acknowledged executions, by the name of the execution. */
    final Map<String, String> acknowledged = new ConcurrentHashMap<>();

    final AtomicInteger cleared = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    final AtomicInteger deleted = new AtomicInteger();

    private final List<EscapementApiClient> clients;
    private final WitnessFile witness;
    private final AtomicInteger executionCount = new AtomicInteger();
    private final LoadThreads threads;

    StandaloneLoad(List<EscapementApiClient> clients, WitnessFile witness, long seed) {
        this.clients = clients;
        this.witness = witness;
        threads = new LoadThreads(THREADS, seed, this::sendRequests);
        threads.start();
    }

    void stop() throws InterruptedException {
        threads.stop();
    }

    private void sendRequests(SplittableRandom random) throws IOException, InterruptedException {
        String name = "e" + executionCount.incrementAndGet();
        create(name, "node/n" + random.nextInt(TARGETS), random);
        switch (random.nextInt(12)) {
            case 0 -> {
                if (pickClient(random).cancel(NAMESPACE, name)) {
                    cancelled.incrementAndGet();
                }
            }
            case 1 -> {
                if (pickClient(random).delete(NAMESPACE, name)) {
                    deleted.incrementAndGet();
                }
            }
            case 2, 3 -> clearEndedTargets(pickClient(random));
            // Servers that start again after a kill need processor time too.
            default -> ConditionPoller.sleep(Duration.ofMillis(random.nextInt(200)));
        }
    }

    private EscapementApiClient pickClient(SplittableRandom random) {
        return clients.get(random.nextInt(clients.size()));
    }

    /** Repeats the request under the same name until it is acknowledged. */
    private void create(String name, String target, SplittableRandom random) throws InterruptedException {
        int kind = random.nextInt(20);
        String workflow = kind == 0 ? "missing" : kind < 7 ? "clean" : "repair";
        Map<String, String> parameters = Map.of(
                "WITNESS",
                witness.file().toString(),
                "NAME",
                name,
                "PAUSE",
                "0." + random.nextInt(10) + random.nextInt(10),
                "CODE",
                kind == 1 ? "3" : "0");
        while (!threads.isStopRequested()) {
            try {
                int status = pickClient(random)
                        .create(name, workflow, target, parameters)
                        .status();
                if (status == 201 || status == 409) {
                    acknowledged.put(name, target);
                    return;
                }
            } catch (IOException down) {
                ConditionPoller.sleep(Duration.ofMillis(20));
            }
        }
    }

    /** Clears only targets whose last run has ended, as a person would. */
    private void clearEndedTargets(EscapementApiClient client) throws IOException, InterruptedException {
        List<WitnessFile.Line> lines = witness.read();
        cleared.addAndGet(client.clearFailingTargets(
                target -> lines.stream()
                        .filter(line -> line.target().equals(target))
                        .reduce((first, second) -> second)
                        .filter(last -> last.event().equals("begin"))
                        .isEmpty(),
                "the witness file shows that its last run has ended"));
    }
}
