package dev.escapement.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what announces itself in no other way: a port that opens, a file that appears, a server that is ready. */
final class Waiting {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private Waiting() {}

    /**
     * Returns when the condition holds.
     *
     * @param failure says why it never will, asked when the deadline has passed
     */
    static void until(BooleanSupplier condition, Duration deadline, Supplier<String> failure) {
        long end = System.nanoTime() + deadline.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new ClusterException(failure.get());
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new ClusterException("interrupted while waiting: " + failure.get());
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }
}
