package dev.escapement.crashtests.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the same task in several threads. */
public final class ParallelTasks {

    private ParallelTasks() {}

    /** A task that may throw. */
    @FunctionalInterface
    public interface ParallelTask {
        void run() throws Exception;
    }

    /**
     * Runs the task once in each thread and waits for all.
     *
     * @throws ExecutionException if one of them failed
     */
    public static void run(int threads, ParallelTask task) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<Boolean>> results = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            results.add(pool.submit(() -> {
                task.run();
                return true;
            }));
        }
        for (Future<Boolean> each : results) {
            each.get();
        }
        pool.shutdown();
    }
}
