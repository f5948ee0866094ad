package dev.escapement.cli.client;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets time pass between two attempts to reach a server; tests let none pass. */
@FunctionalInterface
public interface Sleeper {

    /** Comes back after the time. */
    void sleep(Duration time) throws InterruptedException;

    /** Real time. */
    static Sleeper realTime() {
        return time -> {
            // Nobody counts it down: there is no event to hear of while the server that would tell is away.
            boolean early = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
            assert !early;
        };
    }
}
