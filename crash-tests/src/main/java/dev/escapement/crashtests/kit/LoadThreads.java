package dev.escapement.crashtests.kit;

import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Threads that repeat a task until they are stopped, each with a random generator of its own. */
public final class LoadThreads {

    private static final Duration RETRY_DELAY = Duration.ofMillis(50);

    private final List<Thread> threads;
    private final LoadTask task;
    private volatile boolean stopRequested;

    /** Sends some requests; an {@link IOException} means that the server is down. */
    @FunctionalInterface
    public interface LoadTask {
        void run(SplittableRandom random) throws IOException, InterruptedException;
    }

    public LoadThreads(int count, long seed, LoadTask task) {
        this.task = task;
        SplittableRandom seeds = new SplittableRandom(seed);
        threads = IntStream.range(0, count)
                .mapToObj(number -> seeds.split())
                .map(random -> new Thread(() -> repeat(random), "load"))
                .toList();
    }

    public void start() {
        threads.forEach(Thread::start);
    }

    public boolean isStopRequested() {
        return stopRequested;
    }

    /** Returns when every thread has finished its task. */
    public void stop() throws InterruptedException {
        stopRequested = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void repeat(SplittableRandom random) {
        while (!stopRequested) {
            try {
                task.run(random);
            } catch (IOException down) {
                ConditionPoller.sleep(RETRY_DELAY);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
