package dev.escapement.crashtests.endpoints;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lets others work. */
final class CrashTestPause {

    private CrashTestPause() {}

    static void sleep(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
