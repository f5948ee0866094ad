package dev.escapement.benchmarks.kubernetes;

import dev.escapement.crashtests.kit.ParallelTasks;
import dev.escapement.governor.Target;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.UntypedExecution;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates executions as fast as they end, so that a bounded number of them is unfinished at any time. Each execution on
 * a target uses another workflow, so that none is skipped under the default policy.
 */
final class LoadFeed {

    /** Does not exist; the simulated Tekton does not pull it. */
    static final String IMAGE = "registry.example/workflows/restart:v1";

    private static final int THREADS = 8;
    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    private final ExecutionTracker executions;
    private final InstantSource clock;
    private final String prefix;
    private final String image;
    private final int maxUnfinished;
    private final BlockingQueue<Integer> freeTargets = new LinkedBlockingQueue<>();
    private final Map<Integer, Integer> usesByTarget = new ConcurrentHashMap<>();
    private final Map<String, Integer> targetsByExecution = new ConcurrentHashMap<>();
    private final Map<String, CreatedExecution> created = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger endedCount = new AtomicInteger();
    private final Semaphore permits;

    /**
     * Creates a feed.
     *
     * @param prefix of the names of executions and targets
     * @param unfinished maximum number of unfinished executions; less than the number of targets
     */
    LoadFeed(
            ExecutionTracker executions,
            InstantSource clock,
            String prefix,
            String image,
            int targets,
            int unfinished) {
        this.executions = executions;
        this.clock = clock;
        this.prefix = prefix;
        this.image = image;
        this.maxUnfinished = unfinished;
        this.permits = new Semaphore(unfinished);
        for (int target = 0; target < targets; target++) {
            freeTargets.add(target);
        }
    }

    /**
     * An execution that was created.
     *
     * @param runName the name of its run
     * @param createdAt when the client sent the request
     */
    record CreatedExecution(String runName, Instant createdAt) {}

    /** Creates so many executions and returns when all have ended. */
    List<CreatedExecution> run(int number) throws Exception {
        executions.setEndListener(this::onEnded);
        AtomicInteger next = new AtomicInteger();
        ParallelTasks.run(Math.min(THREADS, maxUnfinished), () -> {
            while (next.getAndIncrement() < number) {
                createNext();
            }
        });
        ConditionPoller.await(
                () -> number + " executions have ended; now: " + endedCount, TIMEOUT, () -> endedCount.get() == number);
        if (!failures.isEmpty()) {
            throw new IllegalStateException(
                    "%d executions did not complete; %s".formatted(failures.size(), failures.peek()));
        }
        return List.copyOf(created.values());
    }

    private void createNext() throws InterruptedException {
        permits.acquire();
        int target = freeTargets.take();
        int use = usesByTarget.merge(target, 1, Integer::sum);
        String name = "%s-%d-%d".formatted(prefix, target, use);
        String resource = "node/%s-%d".formatted(prefix, target);
        targetsByExecution.put(name, target);
        Instant sent = clock.instant();
        UntypedExecution execution = executions.create(name, "workflow-" + use, image, resource);
        created.put(
                name,
                new CreatedExecution(
                        ExpectedRunNames.of(
                                Target.parse(resource), execution.getMetadata().getUid()),
                        sent));
    }

    private void onEnded(String name) {
        String phase = executions.phase(name);
        if (!phase.equals("Completed")) {
            failures.add("execution %s is %s".formatted(name, phase));
        }
        freeTargets.add(targetsByExecution.get(name));
        endedCount.incrementAndGet();
        permits.release();
    }
}
