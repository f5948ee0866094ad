package dev.escapement.crashtests.kit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a time or for a condition. */
public final class CrashTestWait {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private CrashTestWait() {}

    public static void sleep(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Returns whether the condition held in time. */
    public static boolean waitUntil(BooleanSupplier condition, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            sleep(POLL_INTERVAL);
        }
        return true;
    }
}
