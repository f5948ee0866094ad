package dev.escapement.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs tasks in threads that start at the same moment. */
public final class ConcurrentTasks {

    public interface NumberedTask<T> {
        T run(int number) throws Exception;
    }

    private ConcurrentTasks() {}

    public static <T> List<T> runAll(int count, NumberedTask<T> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            CyclicBarrier start = new CyclicBarrier(count);
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                futures.add(threads.submit(() -> {
                    start.await(60, TimeUnit.SECONDS);
                    return task.run(number);
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(60, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
