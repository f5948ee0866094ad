package dev.escapement.kubernetes.run;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what a cluster does some time later. */
public final class ClusterAwait {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private ClusterAwait() {}

    /** Returns when it holds. */
    public static void untilTrue(String what, BooleanSupplier condition) {
        untilPresent(what, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /** Returns what there is at last. */
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
