package dev.escapement.benchmarks.endpoints.crash;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lets others work. */
final class Pause {

    private Pause() {}

    static void of(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
