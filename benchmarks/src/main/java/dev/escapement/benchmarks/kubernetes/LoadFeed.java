package dev.escapement.benchmarks.kubernetes;

import dev.escapement.governor.Target;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks for executions as fast as they end: a bounded number of them is unfinished at any time. Targets take turns, and
 * each use of a target is by another workflow, so that nothing is skipped under the usual policy.
 */
final class LoadFeed {

    /** No registry has it, and in a load nobody looks. */
    static final String IMAGE = "registry.example/workflows/restart:v1";

    private static final int THREADS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final Executions executions;
    private final InstantSource clock;
    private final String prefix;
    private final String image;
    private final int unfinished;
    private final BlockingQueue<Integer> free = new LinkedBlockingQueue<>();
    private final Map<Integer, Integer> uses = new ConcurrentHashMap<>();
    private final Map<String, Integer> targets = new ConcurrentHashMap<>();
    private final Map<String, Asked> asked = new ConcurrentHashMap<>();
    private final Queue<String> otherwise = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final Semaphore room;

    /**
     * A feed.
     *
     * @param prefix of the names of executions and targets
     * @param unfinished executions, at most; fewer than there are targets
     */
    LoadFeed(Executions executions, InstantSource clock, String prefix, String image, int targets, int unfinished) {
        this.executions = executions;
        this.clock = clock;
        this.prefix = prefix;
        this.image = image;
        this.unfinished = unfinished;
        this.room = new Semaphore(unfinished);
        for (int target = 0; target < targets; target++) {
            free.add(target);
        }
    }

    /**
     * An execution that was asked for.
     *
     * @param run the name of its run
     * @param at when the client sent it
     */
    record Asked(String run, Instant at) {}

    /** Asks for so many and returns when all have ended: each by the name of its run. */
    List<Asked> run(int number) throws Exception {
        executions.onEnd(this::ended);
        AtomicInteger next = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(THREADS, unfinished));
        List<Future<Boolean>> work = new ArrayList<>();
        for (int i = 0; i < Math.min(THREADS, unfinished); i++) {
            work.add(pool.submit(() -> {
                while (next.getAndIncrement() < number) {
                    ask();
                }
                return true;
            }));
        }
        for (Future<Boolean> each : work) {
            each.get();
        }
        pool.shutdown();
        Await.until(() -> ended.get() == number, PATIENCE, () -> ended + " executions ended");
        if (!otherwise.isEmpty()) {
            throw new IllegalStateException(
                    "%d executions did not complete; %s".formatted(otherwise.size(), otherwise.peek()));
        }
        return List.copyOf(asked.values());
    }

    private void ask() throws InterruptedException {
        room.acquire();
        int target = free.take();
        int use = uses.merge(target, 1, Integer::sum);
        String name = "%s-%d-%d".formatted(prefix, target, use);
        String resource = "node/%s-%d".formatted(prefix, target);
        targets.put(name, target);
        Instant sent = clock.instant();
        WorkflowExecution made = executions.create(name, "workflow-" + use, image, resource);
        asked.put(
                name,
                new Asked(RunNames.of(Target.parse(resource), made.getMetadata().getUid()), sent));
    }

    private void ended(String name) {
        String phase = executions.phase(name);
        if (!phase.equals("Completed")) {
            otherwise.add("execution %s is %s".formatted(name, phase));
        }
        free.add(targets.get(name));
        ended.incrementAndGet();
        room.release();
    }
}
