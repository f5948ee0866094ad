package dev.escapement.benchmarks.kubernetes;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits, for what announces itself in no other way, or only for time to pass. */
final class Await {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private Await() {}

    /** A question whose answer may need the cluster. */
    interface Question {
        boolean holds() throws Exception;
    }

    /** Returns when it holds. */
    static void until(Question question, Duration most, Supplier<String> what) throws Exception {
        long end = System.nanoTime() + most.toNanos();
        while (!question.holds()) {
            if (System.nanoTime() - end > 0) {
                throw new TimeoutException("waited %d s in vain: %s".formatted(most.toSeconds(), what.get()));
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    /** The same with words that do not depend on how it went. */
    static void until(Question question, Duration most, String what) throws Exception {
        until(question, most, () -> what);
    }

    /** Lets time pass. */
    static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
