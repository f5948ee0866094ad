package dev.escapement.kubernetes.run;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Polls until a cluster has reached a state. */
public final class ClusterAwait {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private ClusterAwait() {}

    /**
     * Waits until the condition is true.
     *
     * @throws AssertionError if it is still false after 90 s
     */
    public static void untilTrue(String what, BooleanSupplier condition) {
        untilPresent(what, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /**
     * Returns the first value that is present.
     *
     * @throws AssertionError if there is none after 90 s
     */
    public static <T> T untilPresent(String what, Supplier<Optional<T>> value) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        for (; ; ) {
            Optional<T> found = value.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + TIMEOUT + ": " + what);
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }
}
