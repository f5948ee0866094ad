package dev.escapement.benchmarks.clustercrash;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Lets others work. */
final class Wait {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private Wait() {}

    static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Returns whether the condition held in time. */
    static boolean until(BooleanSupplier condition, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            pause(BETWEEN_LOOKS);
        }
        return true;
    }
}
