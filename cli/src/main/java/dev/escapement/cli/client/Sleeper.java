package dev.escapement.cli.client;

import dev.escapement.backoff.Backoff;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits; tests replace it. */
@FunctionalInterface
public interface Sleeper {

    /** With the delays of {@link #sleepBeforeReconnect} together one to two minutes: enough for a restart. */
    int MAX_RECONNECTS = 14;

    /** Delays between attempts to reconnect to a server. */
    Backoff RECONNECT_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(250))
            .max(Duration.ofSeconds(10))
            .build();

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

    default void sleepBeforeReconnect(int attempt) {
        sleepOrFail(RECONNECT_BACKOFF.delay(attempt), "reconnecting");
    }

    static Sleeper realTime() {
        return time -> {
            boolean early = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
            assert !early;
        };
    }
}
