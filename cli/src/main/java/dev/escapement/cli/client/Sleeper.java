package dev.escapement.cli.client;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits; tests replace it. */
@FunctionalInterface
public interface Sleeper {

    void sleep(Duration time) throws InterruptedException;

    /**
     * Waits, and turns an interrupt into an error.
     *
     * @param purpose such as "reconnecting", for the message
     */
    default void sleepOrFail(Duration time, String purpose) {
        try {
            sleep(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ApiException(ApiException.Kind.UNREACHABLE, "interrupted while " + purpose);
        }
    }

    static Sleeper realTime() {
        return time -> {
            boolean early = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
            assert !early;
        };
    }
}
