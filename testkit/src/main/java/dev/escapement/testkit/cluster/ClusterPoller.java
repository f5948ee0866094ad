package dev.escapement.testkit.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what announces itself in no other way: a port that opens, a file that appears, a server that is ready. */
public final class ClusterPoller {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private ClusterPoller() {}

    /**
     * Returns when the condition holds.
     *
     * @param failure says why it never will, asked when the deadline has passed
     */
    public static void waitUntil(BooleanSupplier condition, Duration deadline, Supplier<String> failure) {
        long end = System.nanoTime() + deadline.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new ClusterException(failure.get());
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new ClusterException("interrupted while waiting: " + failure.get());
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }
}
