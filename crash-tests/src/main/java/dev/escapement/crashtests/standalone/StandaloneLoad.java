package dev.escapement.crashtests.standalone;

import dev.escapement.crashtests.kit.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** People and programs that ask for things all the time, and ask again when no answer comes. */
final class StandaloneLoad {

    private static final int WORKERS = 4;
    private static final int TARGETS = 12;

    final Map<String, String> acknowledged = new ConcurrentHashMap<>();
    final AtomicInteger cleared = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    final AtomicInteger deleted = new AtomicInteger();

    private final List<ServerProcess> servers;
    private final WitnessFile witness;
    private final AtomicInteger executionCount = new AtomicInteger();
    private final List<Thread> threads;
    private volatile boolean stopRequested;

    StandaloneLoad(List<ServerProcess> servers, WitnessFile witness, long seed) {
        this.servers = servers;
        this.witness = witness;
        SplittableRandom seeds = new SplittableRandom(seed);
        threads = IntStream.range(0, WORKERS)
                .mapToObj(i -> new Thread(new LoadWorker(seeds.split()), "asker-" + i))
                .toList();
        threads.forEach(Thread::start);
    }

    void stop() throws InterruptedException {
        stopRequested = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private final class LoadWorker implements Runnable {
        private final SplittableRandom random;
        private final List<StandaloneApiClient> clients = servers.stream()
                .map(server -> new StandaloneApiClient(server.port()))
                .toList();

        LoadWorker(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public void run() {
            while (!stopRequested) {
                try {
                    sendRequests();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }

        private void sendRequests() throws InterruptedException {
            String name = "e" + executionCount.incrementAndGet();
            String target = "node/n" + random.nextInt(TARGETS);
            create(name, target);
            switch (random.nextInt(12)) {
                case 0 ->
                    ignoreFailure(client -> {
                        client.cancel(name);
                        cancelled.incrementAndGet();
                    });
                case 1 ->
                    ignoreFailure(client -> {
                        if (client.delete(name).status() == 200) {
                            deleted.incrementAndGet();
                        }
                    });
                case 2, 3 -> clearEndedTargets();
                default ->
                    LockSupport.parkNanos(Duration.ofMillis(random.nextInt(40)).toNanos());
            }
        }

        /** Until it is answered: whoever gets no answer asks again, under the same name. */
        private void create(String name, String target) throws InterruptedException {
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
            while (!stopRequested) {
                StandaloneApiClient client = clients.get(random.nextInt(clients.size()));
                try {
                    int status =
                            client.create(name, workflow, target, parameters).status();
                    if (status == 201 || status == 409) {
                        acknowledged.put(name, target);
                        return;
                    }
                } catch (IOException gone) {
                    LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
                }
            }
        }

        /** A person looks first: what began and has not ended is left alone. */
        private void clearEndedTargets() throws InterruptedException {
            ignoreFailure(client -> {
                var lines = witness.read();
                for (var target : client.list("/api/v1/targets?state=failing")) {
                    String name = target.path("spec").path("targetResource").asText();
                    boolean going = lines.stream()
                            .filter(line -> line.target().equals(name))
                            .reduce((first, second) -> second)
                            .filter(last -> last.event().equals("begin"))
                            .isPresent();
                    boolean held = target.path("status").path("state").asText().equals("Held");
                    if (!going && !held && client.clear(name).status() == 200) {
                        cleared.incrementAndGet();
                    }
                }
            });
        }

        private void ignoreFailure(ClientAction wish) throws InterruptedException {
            try {
                wish.perform(clients.get(random.nextInt(clients.size())));
            } catch (IOException gone) {
                // Nothing was promised, so nothing is owed.
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    private interface ClientAction {
        void perform(StandaloneApiClient client) throws IOException, InterruptedException;
    }
}
