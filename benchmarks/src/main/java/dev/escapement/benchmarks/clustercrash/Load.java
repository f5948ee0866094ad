package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.Bundles.Work;
import dev.escapement.benchmarks.clustercrash.Executions.Wish;
import dev.escapement.benchmarks.clustercrash.proxy.Engine;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** People and programs that ask for things all the time, and ask again when no answer comes. */
final class Load {

    private static final int ASKERS = 2;
    private static final int TARGETS = 24;
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** By uid, each with namespace and name. */
    final Map<String, String> acknowledged = new ConcurrentHashMap<>();

    /** Those that somebody meant to delete. */
    final Set<String> deleted = ConcurrentHashMap.newKeySet();

    final AtomicInteger cancelled = new AtomicInteger();
    final AtomicInteger cleared = new AtomicInteger();

    private final Executions executions;
    private final Fleet fleet;
    private final List<Work> works;
    private final AtomicInteger names = new AtomicInteger();
    private final List<Thread> threads;
    private volatile boolean over;

    Load(Stage stage, Fleet fleet, long seed) {
        this.executions = new Executions(stage.admin());
        this.fleet = fleet;
        Bundles made = stage.bundles();
        Work quick = made.good(Engine.TEKTON, "200ms");
        Work quickJob = made.good(Engine.JOB, "200ms");
        this.works = List.of(
                quick,
                quick,
                quick,
                quickJob,
                quickJob,
                quickJob,
                made.good(Engine.TEKTON, "1200ms"),
                made.good(Engine.JOB, "1200ms"),
                made.failing(Engine.TEKTON),
                made.failing(Engine.JOB),
                made.unpullable());
        SplittableRandom seeds = new SplittableRandom(seed);
        threads = IntStream.range(0, ASKERS)
                .mapToObj(i -> new Thread(new Asker(seeds.split()), "asker-" + i))
                .toList();
        threads.forEach(Thread::start);
    }

    /** Until it is answered: whoever gets no answer asks again, under the same name. Returns the uid. */
    String create(Wish wish) {
        while (true) {
            try {
                String uid = executions.create(wish);
                acknowledged.put(uid, wish.namespace() + "/" + wish.name());
                return uid;
            } catch (KubernetesClientException away) {
                Wait.pause(Duration.ofMillis(100));
            }
        }
    }

    /** Past the operator. */
    void delete(Wish wish, String uid) {
        deleted.add(uid);
        try {
            executions.delete(wish.namespace(), wish.name());
        } catch (KubernetesClientException away) {
            // Nothing was promised, so nothing is owed.
        }
    }

    void stop() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private final class Asker implements Runnable {
        private final SplittableRandom random;
        private final Rest rest = new Rest();

        Asker(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public void run() {
            while (!over) {
                try {
                    ask();
                } catch (IOException gone) {
                    Wait.pause(Duration.ofMillis(50));
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }

        private void ask() throws IOException, InterruptedException {
            int number = random.nextInt(TARGETS);
            Wish wish = new Wish(
                    any(Stage.NAMESPACES),
                    "e" + names.incrementAndGet(),
                    random.nextInt(3) == 0 ? "scale" : "restart",
                    any(works),
                    number % 4 == 0 ? "node/n" + number : "shop/Deployment/d" + number);
            String uid = create(wish);
            Wait.pause(Duration.ofMillis(random.nextLong(LONGEST_PAUSE.toMillis())));
            List<OperatorProcess> there = fleet.all();
            int port = there.get(random.nextInt(there.size())).port();
            switch (random.nextInt(12)) {
                case 0 -> {
                    if (rest.cancel(port, wish.namespace(), wish.name())) {
                        cancelled.incrementAndGet();
                    }
                }
                case 1 -> {
                    deleted.add(uid);
                    rest.delete(port, wish.namespace(), wish.name());
                }
                case 2 -> delete(wish, uid);
                case 3, 4 -> cleared.addAndGet(rest.clear(port));
                default -> {
                    // It is left alone.
                }
            }
        }

        private <T> T any(List<T> choices) {
            return choices.get(random.nextInt(choices.size()));
        }
    }
}
