package dev.escapement.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Many who do something in the same moment. */
public final class ConcurrentTasks {

    public interface NumberedTask<T> {
        T run(int number) throws Exception;
    }

    private ConcurrentTasks() {}

    public static <T> List<T> runAll(int many, NumberedTask<T> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try {
            CyclicBarrier start = new CyclicBarrier(many);
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < many; i++) {
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
