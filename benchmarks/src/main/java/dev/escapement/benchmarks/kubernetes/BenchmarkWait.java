package dev.escapement.benchmarks.kubernetes;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits, for what announces itself in no other way, or only for time to pass. */
final class BenchmarkWait {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private BenchmarkWait() {}

    /** A question whose answer may need the cluster. */
    interface WaitCondition {
        boolean holds() throws Exception;
    }

    /** Returns when it holds. */
    static void waitUntil(WaitCondition question, Duration most, Supplier<String> what) throws Exception {
        long end = System.nanoTime() + most.toNanos();
        while (!question.holds()) {
            if (System.nanoTime() - end > 0) {
                throw new TimeoutException("waited %d s in vain: %s".formatted(most.toSeconds(), what.get()));
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    /** The same with words that do not depend on how it went. */
    static void waitUntil(WaitCondition question, Duration most, String what) throws Exception {
        waitUntil(question, most, () -> what);
    }

    /** Lets time pass. */
    static void sleep(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
