package dev.escapement.kubernetes.run;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what a cluster does some time later. */
public final class Eventually {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Eventually() {}

    /** Returns when it holds. */
    public static void holds(String what, BooleanSupplier condition) {
        is(what, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /** Returns what there is at last. */
    public static <T> T is(String what, Supplier<Optional<T>> value) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (; ; ) {
            Optional<T> found = value.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + PATIENCE + ": " + what);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
